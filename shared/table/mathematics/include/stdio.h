/* stdio.h: CORE-MATH prints a request for a report before it would give up; nothing is printed here (stdlib.h). */
#ifndef VLAD_STDIO_H
#define VLAD_STDIO_H

#define printf(...) ((void)0)

#endif
