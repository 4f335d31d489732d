print *, 1+1
end
!! exact: 2
