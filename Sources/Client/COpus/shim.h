#ifndef KODAMA_COPUS_SHIM_H
#define KODAMA_COPUS_SHIM_H

#include <opus.h>

#endif
