// The Pico's real image in rp2040js, stepped by commands on stdin as emulator.c is; see
// pico.py. The light is simpler here: discs on edge, through the middle, nothing else.
//
//     node emulator.mjs node-pico.bin
//
// rp2040js comes without a boot ROM. Its few functions that the image calls are break
// instructions here, answered in JavaScript, as the data sheet describes them (2.8.3).
import fs from 'node:fs';
import readline from 'node:readline';
import { ConsoleLogger, LogLevel, Simulator } from 'rp2040js';

const MHZ = 48;
const FLASH = 0x10000000;
const EMITTERS = { beam: 2, spot: 6 };   // first pin of four; firmware/board.toml
const SELECT = 10;                       // first of the multiplexer's three pins
const BYTE_NS = 20000;                   // ten bits at 500,000 baud
const SPACING_MM = 10, HALF_WINDOW_MM = 1.5, LEAK = 0.01;

const chip = new Simulator().rp2040;
const { clock, core } = chip;
chip.logger = new ConsoleLogger(LogLevel.Error);

// ---- light ---------------------------------------------------------------------
const pockets = Array.from({ length: 4 }, () => (
  { beam: 640, spot: 420, wall: 12, ambient: 30, shade: 0, cover: 0, noise: 1 }));
const falls = [];
const changes = [];
let random = 1;

function noise() {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return random / 2 ** 31 - 1;
}

// Part of a window at `at_mm` that pieces cover; s runs down, the beam is at 0.
function covered(pocket, at_mm, now_us) {
  let most = 0;
  for (const fall of falls.filter((one) => one.pocket === pocket)) {
    const since_s = (now_us - fall.at_us) / 1e6;
    const front = fall.speed_mm_s * since_s;
    const high = Math.min(front, at_mm + HALF_WINDOW_MM);
    const low = Math.max(front - fall.diameter_mm, at_mm - HALF_WINDOW_MM);
    most = Math.max(most, (high - low) / (2 * HALF_WINDOW_MM));
  }
  return Math.min(1, Math.max(0, most));
}

function counts(input, pins, now_us) {
  const pocket = input % 4;
  const scene = pockets[pocket];
  const kind = input < 4 ? 'beam' : 'spot';
  const lit = (pins >> (EMITTERS[kind] + pocket)) & 1;
  let light = 0;
  if (lit && kind === 'beam') {
    const dark = Math.max(covered(pocket, 0, now_us), scene.shade);
    light = scene.beam * (1 - dark * (1 - LEAK));
  } else if (lit) {
    const there = Math.max(covered(pocket, -SPACING_MM, now_us), scene.cover);
    light = scene.wall * (1 - there) + scene.spot * 0.7 * there;
  }
  const read = scene.ambient + light + 2 * scene.noise * noise();
  return Math.min(4095, Math.max(0, Math.round(read * 4)));
}

chip.adc.onADCRead = (channel) => {
  const pins = chip.sio.gpioValue;
  chip.adc.currentChannel = channel;
  chip.adc.channelValues[channel] =
    channel === 0 ? counts((pins >> SELECT) & 7, pins, clock.nanos / 1000) : 0;
  chip.adc.sampleAlarm.schedule(chip.adc.sampleTime * 1000);
};

// ---- boot ROM ------------------------------------------------------------------
const r = (n) => core.registers[n];
const functions = [
  ['', () => { core.registers[0] = addressOf(r(1)); }], // the look-up itself
  ['IF', () => {}],
  ['EX', () => {}],
  ['FC', () => {}],
  ['CX', () => {}],
  ['RE', () => chip.flash.fill(0xff, r(0), r(0) + r(1))],
  ['RP', () => {
    for (let i = 0; i < r(2); i++) chip.flash[r(0) + i] &= chip.readUint8(r(1) + i);
  }],
];
const ENTRY = 0x100, HUNG = 0x80;
const KEPT_BYTES = 16384, KEPT = 2 * 1024 * 1024 - KEPT_BYTES; // port/rp2040/flash.c

function addressOf(code) {
  const name = String.fromCharCode(code & 0xff, code >> 8);
  const n = functions.findIndex(([known]) => known === name);
  return n < 0 ? 0 : (ENTRY + 4 * n) | 1;
}

function bootRom() {
  const rom = new Uint16Array(0x2000);
  rom[0x14 / 2] = ENTRY;
  rom[0x18 / 2] = ENTRY | 1;
  functions.forEach((_, n) => {
    rom[ENTRY / 2 + 2 * n] = 0xbe00 | n; // bkpt n
    rom[ENTRY / 2 + 2 * n + 1] = 0x4770; // bx lr
  });
  rom[HUNG / 2] = 0xe7fe; // b .
  return new Uint32Array(rom.buffer);
}
chip.onBreak = (n) => functions[n][1]();

function start(image) {
  chip.loadBootrom(bootRom());
  chip.flash.set(image, 0);
  begin();
}

function begin() {
  core.SP = 0x20042000;
  core.PC = FLASH;
}

// rp2040js leaves to us what a watchdog resets: here core and watchdog, the rest is set
// anew by the firmware.
const watchdog = chip.peripherals[0x40058];
watchdog.onWatchdogTrigger = () => {
  watchdog.enable = watchdog.timer.enable = watchdog.alarm.enable = false;
  core.currentMode = core.IPSR = 0; // thread
  core.pendingInterrupts = core.enabledInterrupts = 0;
  core.PM = core.waiting = false;
  begin();
};

// ---- time and bytes --------------------------------------------------------------
const toNode = [];
let fromNode = [];
let nextByteNs = 0;
chip.uart[0].onByte = (byte) => fromNode.push(byte);

function due() {
  while (changes.length && changes[0].at_us * 1000 <= clock.nanos) {
    const { pocket, name, value } = changes.shift();
    pockets[pocket][name] = value;
  }
  if (toNode.length && clock.nanos >= nextByteNs) {
    chip.uart[0].feedByte(toNode.shift());
    nextByteNs = clock.nanos + BYTE_NS;
  }
}

function runTo(us) {
  const end = us * 1000;
  while (clock.nanos < end) {
    due();
    if (core.waiting && (core.pendingInterrupts & core.enabledInterrupts) !== 0) {
      core.waiting = false; // a sleep that begins with an interrupt pending is none
    }
    if (core.waiting) {
      const step = Math.min(clock.nanosToNextAlarm || BYTE_NS, BYTE_NS, end - clock.nanos);
      clock.tick(Math.max(step, 1));
    } else {
      clock.tick((core.executeInstruction() * 1000) / MHZ);
    }
  }
}

// ---- commands --------------------------------------------------------------------
function obey(line) {
  const [what, ...words] = line.trim().split(' ');
  const n = words.map(Number);
  if (what === 'run') {
    runTo(n[0]);
  } else if (what === 'take') {
    const bytes = Buffer.from(fromNode).toString('hex');
    fromNode = [];
    return bytes;
  } else if (what === 'bytes') {
    toNode.push(...Buffer.from(words[0], 'hex'));
  } else if (what === 'seed') {
    random = n[0];
  } else if (what === 'fall') {
    falls.push({ pocket: n[0], at_us: n[1], diameter_mm: n[2], speed_mm_s: n[6] });
  } else if (what === 'set') {
    changes.push({ pocket: n[0], at_us: n[1], name: words[2], value: n[3] });
    changes.sort((a, b) => a.at_us - b.at_us);
  } else if (what === 'hang') {
    core.PC = HUNG;
  } else if (what === 'kept') {
    return Buffer.from(chip.flash.slice(KEPT, KEPT + KEPT_BYTES)).toString('hex');
  } else if (what === 'keep') {
    chip.flash.set(Buffer.from(words[0], 'hex'), KEPT);
  } else if (what !== 'time') {
    return `error ${line}`;
  }
  return (clock.nanos / 1000).toFixed(3);
}

start(fs.readFileSync(process.argv.at(-1)));
readline.createInterface({ input: process.stdin })
  .on('line', (line) => console.log(obey(line)))
  .on('close', () => process.exit(0));
