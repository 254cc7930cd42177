#include "sense.h"

#include "looks.h"

#include <string.h>

enum {
    LEARNT = 16,           /* steady samples that make a resting level */
    LEARNING = 64,         /* samples after which there should have been some */
    STEADY = 16,           /* ADC counts they may differ */
    DAZZLED = 3,           /* blinding samples in a row that are more than a spark */
    DARK = 8,              /* ADC counts: no light from the emitter */
    SETTLED = 20,          /* samples a beam that was stuck must be whole again */
    SETTLED_DEAD = 200,    /* likewise after a loose wire */
    DRIFT = 100,           /* samples to a count: the beam follows 16 counts a second */
    CHATTER_UM = 12000,    /* too little for another piece on the heels of one */
    EIGHTH = BOARD_PERIOD_US / BOARD_DARK_LATER_US,
    ONE_MORE = 78          /* samples (50 ms) in which one of RATE_MOST is forgotten */
};
#define MOST 0xFFFFu

static uint16_t more(uint16_t count)
{
    return (uint16_t)(count < MOST ? count + 1u : count);
}

static uint16_t less(uint16_t from, uint16_t what)
{
    return from > what ? (uint16_t)(from - what) : 0;
}

static void enter(struct sense *sense, enum sense_phase phase)
{
    sense->phase = (uint8_t)phase & 7u;
    sense->since = 0;
}

static void unusable(struct sense *sense, enum msg_health health)
{
    enter(sense, SENSE_STUCK);
    sense->health = (uint8_t)health & 3u;
}

void sense_init(struct sense *sense, const struct sense_settings *settings)
{
    memset(sense, 0, sizeof *sense);
    sense->settings = *settings;
    sense->health = MSG_HEALTH_BLOCKED;
    sense->quiet = MOST;
}

bool sense_idle(const struct sense *sense)
{
    bool coming = sense->phase == SENSE_WHOLE && sense->spot.on;
    return sense->phase != SENSE_BROKEN && sense->phase != SENSE_TESTING && !coming &&
           sense->quiet > SAMPLES_BELOW;
}

void sense_test(struct sense *sense)
{
    enter(sense, SENSE_TESTING);
}

void sense_tested(struct sense *sense, bool passed)
{
    if (!passed) {
        unusable(sense, MSG_HEALTH_DEAD);
        return;
    }
    sense->resting = 0;
    enter(sense, SENSE_LEARNING);
}

/* The level below which the beam counts as broken, and above which as whole again. */
static uint16_t break_below(const struct sense *sense)
{
    return less(sense->resting, sense->settings.threshold);
}

/* The least that a beam may rest at: below is none, or one that no piece can break. */
static uint16_t weakest(const struct sense *sense)
{
    uint16_t breaks = (uint16_t)(sense->settings.threshold + DARK);
    return breaks > LIGHT_WEAKEST ? breaks : LIGHT_WEAKEST;
}

static bool is_whole(const struct sense *sense)
{
    return sense->beam > break_below(sense) + sense->settings.hysteresis;
}

static void learning(struct sense *sense)
{
    if (sense->since == 0)
        sense->turned = sense->beam;
    uint16_t differs = (uint16_t)(sense->beam > sense->turned ? sense->beam - sense->turned
                                                              : sense->turned - sense->beam);
    if (sense->beam < weakest(sense) || differs > STEADY) {
        sense->quiet = more(sense->quiet);
        if (sense->quiet >= LEARNING)
            sense->health = MSG_HEALTH_DEAD;
        sense->since = 0;
        return;
    }
    sense->since++;
    if (sense->since < LEARNT)
        return;
    sense->resting = sense->beam;
    sense->spot.resting = sense->reflectance;
    sense->spot.on = false;
    sense->spot.left = false;
    sense->health = MSG_HEALTH_CLEAR;
    enter(sense, SENSE_WHOLE);
}

/* The resting level follows what the resting beam does, but no piece that creeps in. */
static void follow(struct sense *sense)
{
    if (!sense->spot.on && sense->beam + sense->settings.threshold / 2 >= sense->resting)
        spot_follow(&sense->resting, &sense->drift, sense->beam, DRIFT);
}

/* The beam falls through half of its resting level: the front of a piece is there. */
static void front(struct sense *sense, uint16_t before)
{
    uint16_t half = sense->resting / 2;
    if (sense->half || before <= half || sense->beam > half)
        return;
    sense->half = true;
    sense->broke = spot_crossed(sense->now, before, sense->beam, half);
    bool known;
    sense->announced = spot_announced(&sense->spot, &sense->entered, &known);
    sense->known = known;
}

static void begin(struct sense *sense)
{
    enter(sense, SENSE_BROKEN);
    sense->breaks++;
    sense->lowest = sense->beam;
    sense->turned = sense->beam;
    sense->brightest = 0;
    sense->rising = false;
    sense->notched = false;
    if (sense->half)
        return;
    sense->broke = sense->now;
    sense->announced = sense->spot.on || sense->spot.left;
    sense->known = false;
}

/* Dust, age or a new threshold: what falls would not be seen, and must not look clear. */
static void faded(struct sense *sense)
{
    sense->resting = 0;
    sense->half = false;
    unusable(sense, MSG_HEALTH_DEAD);
}

static void whole(struct sense *sense, uint16_t before)
{
    front(sense, before);
    if (sense->half && sense->beam > sense->resting / 2)
        sense->half = false; /* it came to nothing */
    if (break_below(sense) < DARK)
        faded(sense);
    else if (sense->beam < break_below(sense))
        begin(sense);
    else
        follow(sense);
}

/* Light within the break: two pieces, or one that lets some past. */
static void notch(struct sense *sense)
{
    uint16_t step = sense->settings.hysteresis;
    if (sense->beam < sense->lowest)
        sense->lowest = sense->beam;
    bool further = sense->rising ? sense->beam > sense->turned : sense->beam < sense->turned;
    if (further) {
        sense->turned = sense->beam;
    } else if (!sense->rising && sense->beam >= sense->turned + 2 * step) {
        sense->rising = true;
        sense->turned = sense->beam;
    } else if (sense->rising && sense->beam + step <= sense->turned) {
        sense->rising = false;
        sense->notched = true;
        sense->turned = sense->beam;
    }
}

static uint32_t reach_um(const struct sense *sense)
{
    if (!sense->known || !sense->spot.left || sense->settings.spacing_um == 0)
        return 0;
    const struct looks_times times = {
        .entered = sense->entered,
        .broke = sense->broke,
        .left = sense->spot.out,
        .whole = sense->whole,
    };
    return looks_reach_um(&times, sense->settings.spacing_um);
}

/* A break soon after a piece is its own, or its bounce, or chatter: unless the spot
 * announced another. */
static bool belongs(const struct sense *sense, uint32_t reach)
{
    bool close = (uint32_t)sense->quiet * BOARD_PERIOD_US < sense->settings.rearm_us;
    if (sense->announced)
        return close && reach != 0 && reach < CHATTER_UM;
    return close || (sense->spot_works && sense->quiet < SAMPLES_BELOW);
}

/* Whether the table has so many pieces: a loose wire has not. */
static bool plausible(struct sense *sense)
{
    bool seen = sense->announced || sense->settings.spacing_um == 0;
    uint8_t weight = seen ? 1 : RATE_UNSEEN_WEIGHT;
    if (sense->load + weight > RATE_MOST) {
        sense->refused = true;
        sense->load = RATE_MOST;
        unusable(sense, MSG_HEALTH_DEAD);
        return false;
    }
    sense->load = (uint8_t)(sense->load + weight);
    return true;
}

static uint16_t thrown_back(const struct sense *sense)
{
    return (uint16_t)(sense->announced ? sense->spot.peak + sense->spot.resting : 0);
}

/* The beam is whole again. True when that was a fall. */
static bool end(struct sense *sense, uint32_t tick_us, struct link_fall *fall)
{
    uint32_t ago_us = (uint32_t)(uint16_t)(sense->now - sense->broke) * BOARD_UNIT_US;
    uint32_t width_us = (uint32_t)(uint16_t)(sense->whole - sense->broke) * BOARD_UNIT_US;
    uint32_t reach = reach_um(sense);
    bool shallow = !sense->half || sense->lowest > sense->resting / 4;
    *fall = (struct link_fall){
        .tick_us = tick_us - ago_us,
        .width_us = width_us,
        .depth = less(sense->resting, sense->lowest),
        .reflectance = thrown_back(sense),
        .ambient = sense->brightest,
        .looks = (uint8_t)(shallow ? MSG_LOOKS_UNSURE : looks_like(reach, sense->notched)),
    };
    sense->half = false;
    sense->spot.left = false;
    enter(sense, SENSE_WHOLE);
    if (width_us < sense->settings.least_width_us || belongs(sense, reach) || !plausible(sense))
        return false;
    sense->spot_works = sense->spot_works || sense->announced;
    sense->quiet = 0;
    return true;
}

/* Something stays in the beam. What came past the spot, or still lets light by, is a
 * thing; a beam that is gone without either is the sensor's own trouble. */
static void stuck(struct sense *sense)
{
    bool thing = sense->announced || sense->spot.on || sense->beam >= DARK ||
                 sense->settings.spacing_um == 0;
    sense->half = false;
    unusable(sense, thing ? MSG_HEALTH_BLOCKED : MSG_HEALTH_DEAD);
}

static bool broken(struct sense *sense, uint16_t before, uint32_t tick_us,
                   struct link_fall *fall)
{
    uint16_t half = sense->resting / 2;
    front(sense, before);
    notch(sense);
    if (sense->ambient > sense->brightest)
        sense->brightest = sense->ambient;
    if (!sense->half)
        sense->whole = sense->now;
    else if (before <= half && sense->beam > half)
        sense->whole = spot_crossed(sense->now, before, sense->beam, half);
    if (is_whole(sense))
        return end(sense, tick_us, fall);
    if (++sense->since > SAMPLES_STUCK)
        stuck(sense);
    return false;
}

/* A beam that was stuck or dead counts again when it has been whole for a while. */
static void waiting(struct sense *sense)
{
    uint16_t enough = sense->health == MSG_HEALTH_DEAD ? SETTLED_DEAD : SETTLED;
    if (sense->resting == 0 && sense->beam >= weakest(sense)) {
        enter(sense, SENSE_LEARNING);
        return;
    }
    sense->since = sense->resting != 0 && is_whole(sense) ? more(sense->since) : 0;
    if (sense->since < enough || sense->load >= RATE_MOST / 2)
        return;
    sense->health = MSG_HEALTH_CLEAR;
    enter(sense, SENSE_WHOLE);
}

static void blind(struct sense *sense, bool dazzling)
{
    sense->since = dazzling ? 0 : more(sense->since);
    if (sense->since < SAMPLES_BLIND)
        return;
    if (sense->resting == 0)
        enter(sense, SENSE_LEARNING);
    else
        unusable(sense, MSG_HEALTH_BLOCKED);
}

/* Foreign light leaves no room for the emitter's, or may hide it: what a break is then
 * cannot be told. */
static bool dazzles(const struct sense *sense, const struct sense_sample *sample)
{
    return sample->dark >= LIGHT_BLINDING ||
           (sample->lit >= LIGHT_FULL && sense->beam < break_below(sense));
}

/* Foreign light when the lit reading was taken, an eighth of a sample before the dark
 * one: on the line from the last dark reading to this. Of a lamp that flickers by 100
 * counts at 120 Hz one count is left, not six. */
static uint16_t at_lit(uint16_t before, uint16_t now)
{
    int16_t risen = (int16_t)((int16_t)now - (int16_t)before);
    return (uint16_t)((int16_t)now - risen / EIGHTH);
}

static void measure(struct sense *sense, const struct sense_sample *sample)
{
    sense->now = (uint16_t)(sense->now + BOARD_UNITS);
    sense->beam = less(sample->lit, at_lit(sense->ambient, sample->dark));
    sense->ambient = sample->dark;
    if (sample->spot_lit < LIGHT_FULL || sample->spot_dark < LIGHT_BLINDING)
        sense->reflectance = less(sample->spot_lit, at_lit(sense->spot_dark, sample->spot_dark));
    sense->spot_dark = sample->spot_dark;
    uint16_t depth = less(sense->resting, sense->beam);
    if (depth > sense->deepest && sense->resting != 0)
        sense->deepest = depth;
    spot_sample(&sense->spot, sense->reflectance,
                (uint16_t)(sense->now - BOARD_BEAM_LATER_US / BOARD_UNIT_US),
                sense->phase == SENSE_WHOLE);
    sense->quiet = more(sense->quiet);
    if (sense->leak > 0) {
        sense->leak--;
    } else if (sense->load > 0) {
        sense->load--;
        sense->leak = ONE_MORE;
    }
}

bool sense_sample(struct sense *sense, const struct sense_sample *sample, uint32_t tick_us,
                  struct link_fall *fall)
{
    uint16_t before = sense->beam;
    sense->refused = false;
    measure(sense, sample);
    if (sense->phase == SENSE_TESTING)
        return false;
    bool dazzling = dazzles(sense, sample);
    if (!dazzling)
        sense->dazzled = 0;
    else if (sense->dazzled < DAZZLED)
        sense->dazzled++;
    if (dazzling && sense->dazzled < DAZZLED && sense->phase != SENSE_BLIND) {
        sense->beam = before;
        return false;
    }
    if (dazzling && sense->phase != SENSE_BLIND) {
        sense->half = false;
        sense->health = MSG_HEALTH_BLINDED;
        enter(sense, SENSE_BLIND);
    }
    switch ((enum sense_phase)sense->phase) {
    case SENSE_LEARNING:
        learning(sense);
        break;
    case SENSE_WHOLE:
        whole(sense, before);
        break;
    case SENSE_BROKEN:
        return broken(sense, before, tick_us, fall);
    case SENSE_STUCK:
        waiting(sense);
        break;
    case SENSE_BLIND:
        blind(sense, dazzling);
        break;
    case SENSE_TESTING:
        break;
    }
    return false;
}
