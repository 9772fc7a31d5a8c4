#ifndef KODAMA_CSPANDSP_SHIM_H
#define KODAMA_CSPANDSP_SHIM_H

#include <stdint.h>
#include <spandsp/telephony.h>
#include <spandsp/g722.h>

#endif
