/* Counts executed instructions for qemu-user and prints the count at each getpgid().

   cc -shared -fPIC -O2 -o instructions.so instructions.c
   qemu-x86_64 -plugin ./instructions.so PROGRAM

   Debian ships the plugin interface without its header: the few calls of version 1
   that are used are declared here. One counter, so for one thread. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef uint64_t plugin_id;
struct block;
struct info;
typedef void (*on_block)(plugin_id, struct block *);
typedef void (*on_syscall)(plugin_id, unsigned, int64_t, uint64_t, uint64_t, uint64_t,
                           uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);

enum { INLINE_ADD = 0, GETPGID_X86_64 = 121 };

int qemu_plugin_version __attribute__((visibility("default"))) = 1;
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, on_block);
extern void qemu_plugin_register_vcpu_syscall_cb(plugin_id, on_syscall);
extern size_t qemu_plugin_tb_n_insns(const struct block *);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct block *, int, void *, uint64_t);
int qemu_plugin_install(plugin_id, const struct info *, int, char **);

static uint64_t executed;

static void translated(plugin_id id, struct block *block)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, INLINE_ADD, &executed,
                                             qemu_plugin_tb_n_insns(block));
}

static void called(plugin_id id, unsigned cpu, int64_t number, uint64_t a, uint64_t b,
                   uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g,
        (void)h;
    if (number == GETPGID_X86_64)
        fprintf(stderr, "instructions %llu\n", (unsigned long long)executed);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(plugin_id id, const struct info *info, int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
