/* Plays delay traces through the jitter buffer of libspeexdsp and counts what a listener gets.
 *
 *   speexdsp MARGIN_MS FILE...
 *
 * A file is a CSV of kind,send_ms,arrive_ms lines, one per frame of 20 ms, -1 for a lost one, as
 * `kodama-lab delays` writes it, one trace per file. Each becomes a line of CSV:
 *
 *   kind, frames, mean delay ms, concealed %, discarded %, changes per minute, then for a lone stall that
 *   ends at the second named in STALL_END the median delay of the 10 s before and the mean delay above
 *   it around 3, 10, 20 and 60 s after its end
 *
 * What counts as what is said in JitterTraceResult.swift, and is the same here: delay counts above the
 * fastest packet, made-up sound less the frames that the network lost is concealed, a run of adjustments
 * in one direction is a change.
 *
 * The buffer is driven as its header says: the app asks for 2.5 ms at a time, as `kodama-lab jitter` does,
 * keeps what is decoded beyond that, and tells the buffer how much it keeps. Timestamps count samples at
 * 48 kHz; the delay moves in steps of 10 ms.
 */
#include <speex/speex_jitter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME = 960, REQUEST = 120, STEP = 480, RATE = 48, TIMES = 4 };

struct frame {
    double sent, arrived;
    int index;
    double delay; /* as heard; negative if it was not */
};

struct listener {
    struct frame *frames;
    int count, last, direction, changes, played;
    double fastest, made_up, concealed, delays;
};

static const double TIME_MS[TIMES] = {3000, 10000, 20000, 60000};

static int by_arrival(const void *one, const void *other)
{
    const struct frame *left = one, *right = other;
    if (left->arrived != right->arrived) return left->arrived < right->arrived ? -1 : 1;
    return left->index - right->index;
}

static int by_size(const void *one, const void *other)
{
    double left = *(const double *)one, right = *(const double *)other;
    return left < right ? -1 : left > right;
}

static void adjust(struct listener *ear, int direction)
{
    if (direction != 0 && direction != ear->direction) ear->changes++;
    ear->direction = direction;
}

static void made_up(struct listener *ear, double samples)
{
    ear->made_up += samples;
}

/* The frame of an index sounds from `start` on, in ms, for `samples`. */
static void played(struct listener *ear, int index, double start, double samples)
{
    if (ear->last >= 0) {
        int missing = index - ear->last - 1, lost = 0;
        if (missing < 0) return;
        for (int i = ear->last + 1; i < index; i++) lost += ear->frames[i].arrived < 0;
        if (missing > 0 || ear->made_up > 0) {
            double beyond = ear->made_up - FRAME * lost, surplus = ear->made_up - FRAME * missing;
            if (beyond > 0) ear->concealed += beyond;
            adjust(ear, surplus > 24 ? 1 : surplus < -24 ? -1 : 0);
        }
    }
    struct frame *frame = &ear->frames[index];
    frame->delay = start - frame->sent - ear->fastest;
    ear->delays += frame->delay;
    ear->played++;
    if (samples > FRAME) ear->concealed += samples - FRAME;
    adjust(ear, samples > FRAME ? 1 : samples < FRAME ? -1 : 0);
    ear->last = index;
    ear->made_up = 0;
}

static int read_trace(const char *path, char *kind, struct frame **frames)
{
    FILE *file = fopen(path, "r");
    char line[256];
    int count = 0, room = 0;
    double sent, arrived;
    if (!file) {
        perror(path);
        exit(66);
    }
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%63[^,],%lf,%lf", kind, &sent, &arrived) != 3) continue;
        if (count == room) *frames = realloc(*frames, (room = room ? 2 * room : 1024) * sizeof **frames);
        (*frames)[count] = (struct frame){sent, arrived, count, -1};
        count++;
    }
    fclose(file);
    return count;
}

static void run(struct listener *ear, const struct frame *arrivals, int came, int margin_ms)
{
    JitterBuffer *buffer = jitter_buffer_init(STEP);
    int margin = margin_ms * RATE, next = 0;
    double kept = 0, end = ear->frames[ear->count - 1].sent + 5000;
    jitter_buffer_ctl(buffer, JITTER_BUFFER_SET_MARGIN, &margin);
    for (double now = 0; now < end; now += (double)REQUEST / RATE) {
        for (; next < came && arrivals[next].arrived <= now; next++) {
            char data = 0;
            JitterBufferPacket packet = {&data, 1, (arrivals[next].index + 1000) * FRAME, FRAME,
                                         (spx_uint16_t)arrivals[next].index, (spx_uint32_t)arrivals[next].index};
            jitter_buffer_put(buffer, &packet);
        }
        if (next == 0) continue;
        for (int tries = 0; kept < REQUEST && tries < 1000; tries++) {
            char data[8];
            JitterBufferPacket packet = {data, sizeof data, 0, 0, 0, 0};
            spx_int32_t offset = 0;
            int found = jitter_buffer_get(buffer, &packet, STEP, &offset);
            if (found == JITTER_BUFFER_OK) {
                /* The frame begins later than was asked for, or some of it is too late and is cut. */
                double before = offset > 0 ? offset : 0, cut = offset < 0 ? -offset : 0;
                if (before > 0) made_up(ear, before);
                kept += before;
                played(ear, packet.user_data, now + (kept - cut) / RATE, FRAME - cut);
                kept += FRAME - cut;
            } else {
                double samples = packet.span > 0 ? packet.span : STEP;
                made_up(ear, samples);
                kept += samples;
            }
        }
        kept -= REQUEST;
        jitter_buffer_remaining_span(buffer, kept > 0 ? (spx_uint32_t)kept : 0);
    }
    jitter_buffer_destroy(buffer);
}

/* The mean delay of the frames sent within 250 ms of a moment, less `need`. */
static void print_excess(const struct listener *ear, double moment, double need)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < ear->count; i++)
        if (ear->frames[i].delay >= 0 && ear->frames[i].sent >= moment - 250 && ear->frames[i].sent < moment + 250)
            sum += ear->frames[i].delay, count++;
    if (count) printf(",%.3f", sum / count - need);
    else printf(",");
}

static void print_recovery(const struct listener *ear, double end)
{
    double *before = malloc(ear->count * sizeof *before);
    int count = 0;
    for (int i = 0; i < ear->count; i++)
        if (ear->frames[i].delay >= 0 && ear->frames[i].sent >= end - 12000 && ear->frames[i].sent < end - 2000)
            before[count++] = ear->frames[i].delay;
    qsort(before, count, sizeof *before, by_size);
    double need = count ? before[(count - 1) / 2] : 0;
    printf(",%.3f", need);
    for (int i = 0; i < TIMES; i++) print_excess(ear, end + TIME_MS[i], need);
    free(before);
}

int main(int words, char **word)
{
    const char *stall = getenv("STALL_END");
    if (words < 3) return 64;
    for (int i = 2; i < words; i++) {
        char kind[64];
        struct listener ear = {.last = -1, .fastest = 1e18};
        ear.count = read_trace(word[i], kind, &ear.frames);
        struct frame *arrivals = malloc(ear.count * sizeof *arrivals);
        int came = 0;
        for (int k = 0; k < ear.count; k++) {
            if (ear.frames[k].arrived < 0) continue;
            double transit = ear.frames[k].arrived - ear.frames[k].sent;
            if (transit < ear.fastest) ear.fastest = transit;
            arrivals[came++] = ear.frames[k];
        }
        qsort(arrivals, came, sizeof *arrivals, by_arrival);
        run(&ear, arrivals, came, atoi(word[1]));
        double minutes = ear.count * 20 / 60000.0;
        printf("%s,%d,%.4f,%.5f,%.5f,%.4f", kind, ear.count, ear.played ? ear.delays / ear.played : 0,
               100 * ear.concealed / ((double)FRAME * ear.count), 100.0 * (came - ear.played) / ear.count,
               ear.changes / minutes);
        if (stall) print_recovery(&ear, atof(stall) * 1000);
        puts("");
        free(arrivals);
        free(ear.frames);
    }
    return 0;
}
