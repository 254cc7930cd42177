/* The chip's serial line: its far end is a pseudo-terminal, or two buffers that the
 * control channel fills and empties. */
#ifndef LINE_H
#define LINE_H

#include <simavr/sim_avr.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void line_wire(avr_t *avr);
/* Open a terminal; its name. Ends the program when there is none. */
const char *line_open(void);
/* Carry bytes between the terminal and the chip. */
void line_pump(void);
/* Wait until the host has written to the terminal, at most so long. */
void line_wait(long most_ns);
/* A reset: what the host has sent is lost. */
void line_reset(void);
/* Have the host send a byte. */
void line_send(uint8_t byte);
/* Print all bytes that the node has sent since, as hexadecimal digits. */
void line_take(FILE *answers);
/* Print the frames that went to the terminal since, each as "KIND FIRST LAST
 * WALL": its message's number, when the node began to send its first and its last byte,
 * in microseconds of its crystal, and when that was written to the terminal, in seconds
 * of the host's monotonic clock. */
void line_frames(FILE *answers);
double line_wall_s(void);

#endif
