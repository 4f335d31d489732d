/* errno.h: nothing. CORE-MATH sets no error here, since CORE_MATH_SUPPORT_ERRNO is not defined. */
#ifndef VLAD_ERRNO_H
#define VLAD_ERRNO_H
#endif
