#ifndef KODAMA_OPUS_SEARCH_H
#define KODAMA_OPUS_SEARCH_H

/* Finds the pulses (their sum of magnitudes is pulseCount) that point most nearly where values do,
   and takes values apart on the way. The second is what libopus calls; search.c says why it is ours. */
#if defined(__linux__) && defined(__x86_64__)
float op_pvq_search_c(float *values, int *pulses, int pulseCount, int valueCount, int arch);
float op_pvq_search_sse2(float *values, int *pulses, int pulseCount, int valueCount, int arch);
#endif

#endif
