/* Second stage of the start: 252 bytes that the boot ROM copies to the end of RAM and
 * runs; uf2.py adds the checksum it asks for. Has the ROM make the flash readable,
 * copies the whole program into RAM and starts it there: writing to flash later then
 * takes nothing away from it. */
    .syntax unified
    .cpu cortex-m0plus
    .section .boot2, "ax"
    .thumb_func
    .global boot2
boot2:
    movs r0, #0x14          /* table of the ROM's functions */
    ldrh r0, [r0]
    ldr r1, =0x5843         /* 'C' 'X': flash_enter_cmd_xip */
    movs r2, #0x18          /* the ROM's look-up */
    ldrh r2, [r2]
    blx r2
    blx r0
    ldr r0, =image_in_flash
    ldr r1, =image_start
    ldr r2, =image_end
1:  ldmia r0!, {r3}
    stmia r1!, {r3}
    cmp r1, r2
    blo 1b
    ldr r0, =image_start    /* begins with the vectors */
    ldr r1, =0xE000ED08     /* VTOR */
    str r0, [r1]
    ldmia r0!, {r1, r2}
    msr msp, r1
    bx r2
    .ltorg
