/* Generated from firmware/board.toml by board.py: do not edit. */
#ifndef BOARD_H
#define BOARD_H

#define BOARD_POCKETS 4
#define BOARD_PERIOD_US 640
#define BOARD_SLOT_US 40
#define BOARD_UNITS 64
/* One of them; a time in units fits 16 bits for a good half second. */
#define BOARD_UNIT_US 10
/* A dark reading comes two slots after its lit one. */
#define BOARD_DARK_LATER_US 80
/* The beams are read half a period after the spots: what they say is fresh. */
#define BOARD_BEAM_LATER_US 320
#define BOARD_THRESHOLD 200
#define BOARD_HYSTERESIS 60
#define BOARD_LEAST_WIDTH_US 1500
#define BOARD_REARM_US 12000
#define BOARD_SPACING_UM 10000
#define LIGHT_BLINDING 850
#define LIGHT_FULL 1015
#define LIGHT_WEAKEST 300
#define LIGHT_SPOT_LEAST 8
#define SAMPLES_STUCK 781
#define SAMPLES_BLIND 31
#define SAMPLES_BELOW 234
#define SIZE_COIN_LEAST 25000uL
#define SIZE_COIN_MOST 34300uL
#define SIZE_STRIKER_LEAST 35600uL
#define SIZE_STRIKER_MOST 45500uL
#define SIZE_TWO_COINS_LEAST 47000uL
#define SIZE_TWO_COINS_MOST 68000uL
#define RATE_MOST 20
#define RATE_UNSEEN_WEIGHT 5
#define NANO_LED 13
#define NANO_BEAM_EMITTER_0 2
#define NANO_BEAM_EMITTER_1 3
#define NANO_BEAM_EMITTER_2 4
#define NANO_BEAM_EMITTER_3 5
#define NANO_BEAM_0 0
#define NANO_BEAM_1 1
#define NANO_BEAM_2 2
#define NANO_BEAM_3 3
#define NANO_SPOT_EMITTER_0 6
#define NANO_SPOT_EMITTER_1 7
#define NANO_SPOT_EMITTER_2 8
#define NANO_SPOT_EMITTER_3 9
#define NANO_SPOT_0 4
#define NANO_SPOT_1 5
#define NANO_SPOT_2 6
#define NANO_SPOT_3 7
#define PICO_LED 25
#define PICO_BEAM_EMITTER_0 2
#define PICO_BEAM_EMITTER_1 3
#define PICO_BEAM_EMITTER_2 4
#define PICO_BEAM_EMITTER_3 5
#define PICO_BEAM_0 0
#define PICO_BEAM_1 1
#define PICO_BEAM_2 2
#define PICO_BEAM_3 3
#define PICO_SPOT_EMITTER_0 6
#define PICO_SPOT_EMITTER_1 7
#define PICO_SPOT_EMITTER_2 8
#define PICO_SPOT_EMITTER_3 9
#define PICO_SPOT_0 4
#define PICO_SPOT_1 5
#define PICO_SPOT_2 6
#define PICO_SPOT_3 7
#define PICO_MUX_INPUT 26
#define PICO_MUX_0 10
#define PICO_MUX_1 11
#define PICO_MUX_2 12

#endif
