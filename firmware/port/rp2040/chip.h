/* Registers of the RP2040, by its data sheet, as far as this port needs them. */
#ifndef CHIP_H
#define CHIP_H

#include <stdint.h>

#define REG(address) (*(volatile uint32_t *)(address))
/* The same register, written so that ones set or clear bits. */
#define SET(address) REG((address) + 0x2000u)
#define CLEAR(address) REG((address) + 0x3000u)

#define CLOCKS 0x40008000u
#define CLK_REF_CTRL (CLOCKS + 0x30u)
#define CLK_REF_SELECTED (CLOCKS + 0x38u)
#define CLK_SYS_CTRL (CLOCKS + 0x3Cu)
#define CLK_SYS_SELECTED (CLOCKS + 0x44u)
#define CLK_PERI_CTRL (CLOCKS + 0x48u)
#define CLK_ADC_CTRL (CLOCKS + 0x60u)
#define RESETS 0x4000C000u
#define RESETS_DONE (RESETS + 8u)
#define PSM_WDSEL 0x40010008u
#define GPIO_CTRL(pin) (0x40014004u + 8u * (pin))
#define PAD(pin) (0x4001C004u + 4u * (pin))
#define XOSC_CTRL 0x40024000u
#define XOSC_STATUS 0x40024004u
#define XOSC_STARTUP 0x4002400Cu
#define PLL_USB 0x4002C000u
#define PLL_POWER (PLL_USB + 4u)
#define PLL_FEEDBACK (PLL_USB + 8u)
#define PLL_POST (PLL_USB + 12u)
#define UART0 0x40034000u
#define UART_FLAGS (UART0 + 0x18u)
#define UART_BAUD (UART0 + 0x24u)
#define UART_BAUD_PART (UART0 + 0x28u)
#define UART_LINE (UART0 + 0x2Cu)
#define UART_CTRL (UART0 + 0x30u)
#define UART_LEVELS (UART0 + 0x34u)
#define UART_MASK (UART0 + 0x38u)
#define ADC_CS 0x4004C000u
#define ADC_RESULT 0x4004C004u
#define TIMER_ALARM 0x40054010u
#define TIMER_NOW 0x40054028u
#define TIMER_INTR 0x40054034u
#define TIMER_INTE 0x40054038u
#define WATCHDOG_CTRL 0x40058000u
#define WATCHDOG_LOAD 0x40058004u
#define WATCHDOG_REASON 0x40058008u
#define WATCHDOG_TICK 0x4005802Cu
#define ROSC_RANDOM 0x4006001Cu
#define CHIP_RESET 0x40064008u
#define GPIO_OUT 0xD0000010u
#define GPIO_SET 0xD0000014u
#define GPIO_OFF 0xD0000018u
#define GPIO_DRIVE 0xD0000024u
#define NVIC_ENABLE 0xE000E100u
#define NVIC_PEND 0xE000E200u
#define NVIC_PRIORITY(irq) (0xE000E400u + ((irq) & ~3u)) /* a byte for each */

enum { IRQ_TIMER_0 = 0, IRQ_UART_0 = 20 };

/* Switch interrupts off; what has to be given to irq_back(). */
static inline uint32_t irq_off(void)
{
    uint32_t before;
    __asm__ volatile("mrs %0, primask\n cpsid i" : "=r"(before) : : "memory");
    return before;
}

static inline void irq_back(uint32_t before)
{
    __asm__ volatile("msr primask, %0" : : "r"(before) : "memory");
}

/* chip.c: pins that this port drives or gives to a peripheral. */
enum { PIN_UART = 2, PIN_SIO = 5 };
void chip_pin(uint32_t pin, uint32_t function);

/* flash.c: read what is kept. */
void flash_start(void);

#endif
