/* Vectors, why the chip started, the watchdog, and randomness. */
#include "chip.h"
#include "messages.h"
#include "port.h"

enum {
    PERIOD = 2 * 250000,   /* of the watchdog: it counts two in a microsecond (RP2040-E1) */
    TIMER_FIRED = 1,       /* in WATCHDOG_REASON */
    HAD_POWER = 1 << 8,    /* in CHIP_RESET, brown-outs among them */
    HAD_PIN = 1 << 16,
    ALL_BUT_CLOCKS = 0x1FFFC,
    BITS = 4096
};

extern uint32_t stack_top[], bss_start[], bss_end[];
int main(void);
void start_here(void);
void start_hang(void);
void isr_timer(void);
void isr_uart(void);

struct vectors {
    uint32_t *stack;
    void (*reset)(void);
    void (*faults[14])(void);
    void (*interrupts[26])(void);
};
__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    .stack = stack_top,
    .reset = start_here,
    .faults = {start_hang, start_hang},
    .interrupts = {[IRQ_TIMER_0] = isr_timer, [IRQ_UART_0] = isr_uart},
};

void start_here(void)
{
    for (uint32_t *word = bss_start; word < bss_end; word++)
        *word = 0;
    (void)main();
    start_hang();
}

/* A fault waits here for the watchdog. */
void start_hang(void)
{
    for (;;) {
    }
}

uint8_t start_cause(void)
{
    if ((REG(WATCHDOG_REASON) & TIMER_FIRED) != 0)
        return MSG_RESET_CAUSE_WATCHDOG;
    if ((REG(CHIP_RESET) & HAD_POWER) != 0)
        return MSG_RESET_CAUSE_POWER;
    return (REG(CHIP_RESET) & HAD_PIN) != 0 ? MSG_RESET_CAUSE_EXTERNAL
                                            : MSG_RESET_CAUSE_UNKNOWN;
}

void start_watch(void)
{
    REG(PSM_WDSEL) = ALL_BUT_CLOCKS;
    start_alive();
    SET(WATCHDOG_CTRL) = 1u << 30;
}

void start_alive(void)
{
    REG(WATCHDOG_LOAD) = PERIOD;
}

/* The ring oscillator's random bit leans to one side, so many are taken for each. */
uint64_t start_random(void)
{
    uint64_t random = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < BITS; i++)
        random = (random ^ (REG(ROSC_RANDOM) & 1u) ^ REG(TIMER_NOW)) * 0x100000001B3u;
    return random;
}
