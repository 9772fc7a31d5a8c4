#ifndef KODAMA_COPUS_SHIM_H
#define KODAMA_COPUS_SHIM_H

#if __has_include(<opus/opus.h>)
#include <opus/opus.h>
#else
#include <opus.h>
#endif

/* Swift cannot call C functions with variable arguments, so each ctl request that is used has a
   function of its own here. All return OPUS_OK or a negative error code. */

static inline int kodama_opus_encoder_set_bitrate(OpusEncoder *encoder, opus_int32 bitsPerSecond) {
    return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bitsPerSecond));
}

static inline int kodama_opus_encoder_set_vbr(OpusEncoder *encoder, opus_int32 usesVBR) {
    return opus_encoder_ctl(encoder, OPUS_SET_VBR(usesVBR));
}

static inline int kodama_opus_encoder_set_complexity(OpusEncoder *encoder, opus_int32 complexity) {
    return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

static inline int kodama_opus_encoder_set_inband_fec(OpusEncoder *encoder, opus_int32 usesFEC) {
    return opus_encoder_ctl(encoder, OPUS_SET_INBAND_FEC(usesFEC));
}

static inline int kodama_opus_encoder_set_packet_loss(OpusEncoder *encoder, opus_int32 percent) {
    return opus_encoder_ctl(encoder, OPUS_SET_PACKET_LOSS_PERC(percent));
}

static inline int kodama_opus_encoder_get_lookahead(OpusEncoder *encoder, opus_int32 *samples) {
    return opus_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(samples));
}

#endif
