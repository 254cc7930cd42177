#include "clock.h"
#include "port.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/atomic.h>

/* Timer 1 runs free at 2 MHz; a turn is 32.768 ms. */
static volatile uint32_t turns_us;
#define TURN_US 32768u

ISR(TIMER1_OVF_vect)
{
    turns_us += TURN_US;
}

void clock_start(void)
{
    turns_us = 0;
    TCCR1A = 0;
    TCNT1 = 0;
    TIFR1 = _BV(TOV1);
    TIMSK1 = _BV(TOIE1);
    TCCR1B = _BV(CS11);
}

uint32_t clock_us(void)
{
    uint16_t count;
    uint32_t us;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        count = TCNT1;
        us = turns_us;
        /* A turn that has ended but whose interrupt still waits. */
        if ((TIFR1 & _BV(TOV1)) != 0 && count < 0x8000u)
            us += TURN_US;
    }
    return us + count / 2;
}
