print *, 1+1
end
!! expect: 2
