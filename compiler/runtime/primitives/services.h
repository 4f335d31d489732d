/* The table of the runtime's functions for generated code. */
#ifndef VLAD_SERVICES_H
#define VLAD_SERVICES_H

#include "machine.h"

extern const struct vlad_services vlad_services;

#endif
