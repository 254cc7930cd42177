/* What a chip supplies to main.c, besides the EEPROM of store.h. */
#ifndef PORT_H
#define PORT_H

#include "sense.h"

#include <stdbool.h>
#include <stdint.h>

/* chip.c: clock, pins and interrupts. */
void chip_start(void);
uint8_t chip_board(void); /* enum msg_board */
void chip_light(bool on);
/* Keep what store_write() changed, where it is not kept at once; false when it could
 * not be. */
bool chip_save(uint32_t now_us);
/* Sleep until an interrupt, unless a sample or a byte waits. */
void chip_rest(void);

/* start.c: why this start happened (enum msg_reset_cause). */
uint8_t start_cause(void);
/* Begin to watch the main loop: it must call start_alive() every quarter of a second. */
void start_watch(void);
void start_alive(void);
/* A random number from the jitter of an oscillator; may take 1.1 s. */
uint64_t start_random(void);

/* Microseconds since the start, wraps after 71.6 minutes. */
uint32_t clock_us(void);

/* sampling.c: round the 16 slots of a sample for ever. */
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
