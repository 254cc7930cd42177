/* UART0 at 500,000 baud: 48 MHz / 16 / 6 exactly. */
#include "chip.h"
#include "link.h"
#include "port.h"

enum {
    RING = 64,
    TX_FULL = 1 << 5,      /* in UART_FLAGS */
    RX_EMPTY = 1 << 4,
    RX = 1 << 4 | 1 << 6,  /* in UART_MASK: bytes, or some for a while */
    TX = 1 << 5,
    DIVIDER = 6,
    EIGHT_BITS = 0x70,     /* with FIFOs */
    PAD_PULLED_UP = 0x5A
};

static struct link *sender;
static volatile uint8_t ring[RING];
static volatile uint8_t head; /* next byte goes here: interrupt */
static volatile uint8_t tail; /* next byte comes from here: main loop */

void isr_uart(void);

/* The line asks again while bytes are left; only its interrupt does this. */
static void fill(void)
{
    uint8_t byte;
    while ((REG(UART_FLAGS) & TX_FULL) == 0) {
        if (!link_take(sender, &byte)) {
            CLEAR(UART_MASK) = TX;
            return;
        }
        REG(UART0) = byte;
    }
    SET(UART_MASK) = TX;
}

void isr_uart(void)
{
    while ((REG(UART_FLAGS) & RX_EMPTY) == 0) {
        uint8_t byte = (uint8_t)REG(UART0);
        uint8_t next = (uint8_t)((head + 1u) % RING);
        if (next == tail)
            continue; /* the frame will fail its check, and is counted there */
        ring[head] = byte;
        head = next;
    }
    fill();
}

void serial_start(struct link *link)
{
    sender = link;
    chip_pin(0, PIN_UART);
    chip_pin(1, PIN_UART);
    REG(PAD(1)) = PAD_PULLED_UP; /* no host is silence, not a break */
    REG(UART_BAUD) = DIVIDER;
    REG(UART_BAUD_PART) = 0;
    REG(UART_LINE) = EIGHT_BITS;
    REG(UART_LEVELS) = 2u << 0; /* receive at an eighth, send again at a half */
    REG(UART_MASK) = RX;
    REG(UART_CTRL) = 1u << 9 | 1u << 8 | 1u;
    /* Below the slots: a frame takes as long to hand over as one of them. */
    REG(NVIC_PRIORITY(IRQ_UART_0)) = 0x40u << 8 * (IRQ_UART_0 & 3);
    REG(NVIC_ENABLE) = 1u << IRQ_UART_0;
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

/* The line asks only when it has run low, so the first time we do. */
void serial_send(void)
{
    REG(NVIC_PEND) = 1u << IRQ_UART_0;
}
