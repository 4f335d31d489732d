! The Fortran interface of exported code. The C header documents the functions. Generated; do not edit.
!
! The last index of an array runs fastest in C, and the first one in Fortran. So indices are in reverse order here: rows
! of a matrix in C are columns of an array in Fortran.
module exports
  use, intrinsic :: iso_c_binding, only: c_int, c_double, c_size_t, c_char, c_ptr, c_funptr, c_null_ptr, &
    c_loc, c_associated, c_f_pointer
  implicit none
  private

  integer(c_int), parameter, public :: exports_ok = 0, exports_failed = 1, exports_length = 2, exports_too_small = 3
  integer(c_int), parameter, public :: exports_ragged = 4, exports_out_of_memory = 5, exports_too_deep = 6

  ! The state of calls. `place` and `message` are C strings; exports_message returns the message as a Fortran string.
  type, bind(c), public :: exports_context
    type(c_funptr) :: resize
    type(c_ptr) :: user
    integer(c_size_t) :: stack_bytes
    type(c_ptr) :: place
    type(c_ptr) :: message
    type(c_ptr) :: private_parts(11)
  end type

  public :: exports_begin, exports_end, exports_message
@PUBLIC@
  interface
    subroutine exports_begin(context) bind(c, name="exports_begin")
      import :: exports_context
      type(exports_context), intent(out) :: context
    end subroutine
    subroutine exports_end(context) bind(c, name="exports_end")
      import :: exports_context
      type(exports_context), intent(inout) :: context
    end subroutine
    pure function vlad_c_length(text) result(length) bind(c, name="strlen")
      import :: c_ptr, c_size_t
      type(c_ptr), value, intent(in) :: text
      integer(c_size_t) :: length
    end function
@INTERFACES@
  end interface
contains
  ! The texts of `error` after exports_failed, with ... for values; empty if the procedure failed in another way.
  function exports_message(context) result(text)
    type(exports_context), intent(in) :: context
    character(len=:), allocatable :: text
    character(kind=c_char), dimension(:), pointer :: letters
    integer :: letter
    text = ""
    if (.not. c_associated(context%message)) return
    call c_f_pointer(context%message, letters, [vlad_c_length(context%message)])
    text = repeat(" ", size(letters))
    do letter = 1, size(letters)
      text(letter:letter) = letters(letter)
    end do
  end function
@FUNCTIONS@
end module
