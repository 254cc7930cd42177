/* An RP2040 with a crystal of 12 MHz (Raspberry Pi Pico): clocks, pins, sleep. */
#include "chip.h"
#include "messages.h"
#include "port.h"

enum {
    ADC = 1 << 0,          /* in RESETS */
    BANK_0 = 1 << 5,
    PADS_0 = 1 << 8,
    PLL = 1 << 13,
    TIMER = 1 << 21,
    UART_0 = 1 << 22,
    USED = ADC | BANK_0 | PADS_0 | PLL | TIMER | UART_0,
    CRYSTAL = 0xFABAA0,    /* on, 1 to 15 MHz */
    STARTUP = 47,          /* 1 ms in 256 crystal cycles */
    FEEDBACK = 100,        /* 1200 MHz */
    POST = 5 << 16 | 5 << 12, /* 48 MHz */
    ON = 1 << 11,
    TICKS = 1 << 9 | 12,   /* a microsecond of the crystal */
    PAD_STRONG = 0x72      /* 12 mA, no pull */
};

static void clocks_start(void)
{
    REG(XOSC_STARTUP) = STARTUP;
    REG(XOSC_CTRL) = CRYSTAL;
    while ((REG(XOSC_STATUS) & 1u << 31) == 0) {
    }
    REG(CLK_REF_CTRL) = 2; /* the crystal */
    while ((REG(CLK_REF_SELECTED) & 1u << 2) == 0) {
    }
    /* Off the PLL before it is reset: after a watchdog it still drives the system. */
    REG(CLK_SYS_CTRL) = 0;
    while ((REG(CLK_SYS_SELECTED) & 1u) == 0) {
    }
    SET(RESETS) = USED;
    CLEAR(RESETS) = USED;
    while ((REG(RESETS_DONE) & USED) != USED) {
    }
    REG(PLL_USB) = 1;
    REG(PLL_FEEDBACK) = FEEDBACK;
    CLEAR(PLL_POWER) = 1u << 5 | 1u << 0;
    while ((REG(PLL_USB) & 1u << 31) == 0) {
    }
    REG(PLL_POST) = POST;
    CLEAR(PLL_POWER) = 1u << 3;
    REG(CLK_SYS_CTRL) = 1u << 5; /* its second source: the PLL */
    REG(CLK_SYS_CTRL) = 1u << 5 | 1u;
    while ((REG(CLK_SYS_SELECTED) & 1u << 1) == 0) {
    }
    REG(CLK_PERI_CTRL) = ON;
    REG(CLK_ADC_CTRL) = ON;
    REG(WATCHDOG_TICK) = TICKS;
}

void chip_pin(uint32_t pin, uint32_t function)
{
    if (function == PIN_SIO) {
        REG(PAD(pin)) = PAD_STRONG;
        REG(GPIO_OFF) = 1u << pin;
    }
    REG(GPIO_CTRL(pin)) = function;
    if (function == PIN_SIO)
        REG(GPIO_DRIVE) = 1u << pin;
}

void chip_start(void)
{
    clocks_start();
    chip_pin(PICO_LED, PIN_SIO);
    flash_start();
    __asm__ volatile("cpsie i");
}

uint8_t chip_board(void)
{
    return MSG_BOARD_RP2040;
}

void chip_light(bool on)
{
    REG(on ? GPIO_SET : GPIO_OFF) = 1u << PICO_LED;
}

/* With interrupts off a sleep still ends when one is pending. */
void chip_rest(void)
{
    uint32_t before = irq_off();
    while (!sampling_waits() && !serial_waits()) {
        __asm__ volatile("wfi");
        irq_back(before);
        before = irq_off();
    }
    irq_back(before);
}

uint32_t clock_us(void)
{
    return REG(TIMER_NOW);
}
