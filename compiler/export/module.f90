! The interface of exported code for Fortran; that for C documents it. Generated; do not edit.
!
! The last index of an array runs fastest in C, the first one in Fortran: so the order of indices is reversed, and what is rows
! of a matrix there is columns in an array of Fortran.
module exports
  use, intrinsic :: iso_c_binding, only: c_int, c_double, c_size_t, c_ptr, c_funptr
  implicit none
  private

  integer(c_int), parameter, public :: exports_ok = 0, exports_failed = 1, exports_length = 2, exports_too_small = 3
  integer(c_int), parameter, public :: exports_ragged = 4, exports_out_of_memory = 5, exports_too_deep = 6

  ! The state of calls. `place` is a string of C.
  type, bind(c), public :: exports_context
    type(c_funptr) :: resize
    type(c_ptr) :: user
    integer(c_size_t) :: stack_bytes
    type(c_ptr) :: place
    type(c_ptr) :: private_parts(11)
  end type

  public :: exports_begin, exports_end
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
@INTERFACES@
  end interface
end module
