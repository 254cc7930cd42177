/* What the files of the ATmega328P's port share. */
#ifndef PORT_H
#define PORT_H

#include "sense.h"

#include <stdbool.h>
#include <stdint.h>

/* start.c: why this start happened (enum msg_reset_cause). */
uint8_t start_cause(void);
/* Begin to watch the main loop: it must call start_alive() every quarter of a second. */
void start_watch(void);
void start_alive(void);
/* A random number from the jitter between two oscillators; takes 1.1 s. */
uint64_t start_random(void);

/* clock.c: microseconds since the start, wraps after 71.6 minutes. */
void clock_start(void);
uint32_t clock_us(void);

/* sampling.c: the converter goes round the 16 slots for ever. */
void sampling_start(void);
/* The oldest sample not looked at yet, NULL when there is none. `tick_us` is when its
 * first beam was read. It stays untouched until sampling_done(). */
const struct sense_sample *sampling_next(uint32_t *tick_us);
void sampling_done(void);
bool sampling_waits(void);
/* Samples the main loop came too late for; stops at the maximum. */
uint16_t sampling_missed(void);
/* Emitters that stay dark, a bit for each channel. */
void sampling_dark(uint8_t channels);

/* serial.c: 500,000 baud, 8N1. */
struct link;
void serial_start(struct link *link);
bool serial_byte(uint8_t *byte);
bool serial_waits(void);
/* Bytes wait in the link's ring. */
void serial_send(void);

#endif
