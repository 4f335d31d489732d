      INCLUDE parts
   10 INCLUDE 'parts/step.f'
      IF (X .GT. 0) INCLUDE 'parts/step.f'
      INCLUDE 'parts/step.f', 'parts/step.f'
      END
!! error: syntax 1:7-1:14 INCLUDE is followed by the name of a file in quotes
!! error: syntax 2:4-2:6 an INCLUDE has no label
!! error: syntax 3:21-3:28 INCLUDE does not stand behind the condition
!! error: syntax 4:7-4:14 INCLUDE is followed by the name of a file in quotes
