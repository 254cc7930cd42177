#include "link.h"
#include "port.h"

#include <avr/interrupt.h>
#include <avr/io.h>

enum { RING = 32, BAUD_DIVIDER = 3 }; /* 16 MHz / 8 / (3 + 1) = 500,000 exactly */

static struct link *sender;
static volatile uint8_t ring[RING];
static volatile uint8_t head; /* next byte goes here: interrupt */
static volatile uint8_t tail; /* next byte comes from here: main loop */

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((head + 1u) % RING);
    if (next == tail)
        return; /* the frame will fail its check, and is counted there */
    ring[head] = byte;
    head = next;
}

ISR(USART_UDRE_vect)
{
    uint8_t byte;
    if (link_take(sender, &byte))
        UDR0 = byte;
    else
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
}

void serial_start(struct link *link)
{
    sender = link;
    head = 0;
    tail = 0;
    UCSR0A = _BV(U2X0);
    UBRR0 = BAUD_DIVIDER;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

bool serial_waits(void)
{
    return head != tail;
}

bool serial_byte(uint8_t *byte)
{
    if (!serial_waits())
        return false;
    *byte = ring[tail];
    tail = (uint8_t)((tail + 1u) % RING);
    return true;
}

/* Set without a lock: the transmit interrupt alone clears this bit, and it does so when
 * the ring is empty; at worst it runs once for nothing. */
void serial_send(void)
{
    UCSR0B |= _BV(UDRIE0);
}
