#include "OpusSearch.h"

/* One sound, one packet, on every x86-64 processor.

   libopus 1.3.1 searches CELT's pulse vectors with RCPPS and RSQRTPS (celt/x86/vq_sse2.c): estimates
   whose last bits the makers of processors choose (Intel, Software Developer's Manual, volume 2: a
   relative error of 1.5 * 2^-12 at most), so that now and then the encoder chose other pulses on
   another machine. libopus holds the same search in plain C (celt/vq.c). The linker takes this
   function before the archive's, and so reaches a static libopus only: Package.swift links that. */
#if defined(__linux__) && defined(__x86_64__)
float op_pvq_search_sse2(float *values, int *pulses, int pulseCount, int valueCount, int arch) {
    return op_pvq_search_c(values, pulses, pulseCount, valueCount, arch);
}
#endif
