/* The table of services: the functions of the runtime that generated code calls. */
#ifndef VLAD_SERVICES_H
#define VLAD_SERVICES_H

#include "machine.h"

extern const struct vlad_services vlad_services;

#endif
