#include "optics.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846
enum { GRID = 15 };
static const double BEAM_RADIUS_MM = 1.5;
static const double SPOT_RADIUS_MM = 2.0;
static const double LEAK = 0.01;      /* of a broken beam, around the piece */
static const double LONG_AGO_S = 0.5; /* since a piece's front passed the beam */

void optics_start(struct scene *scene)
{
    memset(scene, 0, sizeof *scene);
    scene->beam = 640;
    scene->spot = 420;
    scene->wall = 12;
    scene->ambient = 30;
    scene->lamp_hz = 100;
    scene->noise = 1;
    scene->beam_spacing_mm = 10;
}

static double fallen_mm(const struct piece *piece, double since_s)
{
    return piece->speed_mm_s * since_s + piece->g_mm_s2 * since_s * since_s / 2;
}

/* Seconds until a fall from the spot has covered a way. */
static double takes_s(const struct piece *piece, double way_mm)
{
    if (piece->g_mm_s2 < 1)
        return way_mm / piece->speed_mm_s;
    double v = piece->speed_mm_s;
    return (sqrt(v * v + 2 * piece->g_mm_s2 * way_mm) - v) / piece->g_mm_s2;
}

bool optics_add(struct scene *scene, struct piece piece)
{
    if (scene->count == PIECES)
        return false;
    piece.spot_s = piece.beam_s - takes_s(&piece, scene->beam_spacing_mm);
    double deep_mm = scene->beam_spacing_mm + piece.floor_mm;
    double fall_s = takes_s(&piece, deep_mm);
    piece.hit_s = piece.spot_s + fall_s;
    piece.hit_mm_s = piece.bounce * (piece.speed_mm_s + piece.g_mm_s2 * fall_s);
    piece.rest_s = piece.hit_s + 2 * piece.hit_mm_s / fmax(piece.g_mm_s2, 1);
    scene->pieces[scene->count++] = piece;
    return true;
}

/* Where a piece's front is, mm below the beam. */
static double front_mm(const struct scene *scene, const struct piece *piece, double at_s)
{
    double since_s = at_s - piece->spot_s;
    if (since_s < 0)
        return piece->speed_mm_s * since_s - scene->beam_spacing_mm;
    if (piece->bounce <= 0 || at_s < piece->hit_s)
        return fallen_mm(piece, since_s) - scene->beam_spacing_mm;
    if (at_s >= piece->rest_s)
        return piece->floor_mm;
    double up_s = at_s - piece->hit_s;
    return piece->floor_mm - piece->hit_mm_s * up_s + piece->g_mm_s2 * up_s * up_s / 2;
}

/* Half of a short cylinder's reach along s, at x from its middle; negative beside it. */
static double half_reach_mm(const struct piece *piece, double x_mm)
{
    double radius = piece->diameter_mm / 2;
    if (fabs(x_mm) >= radius)
        return -1;
    return cos(piece->tilt_rad) * sqrt(radius * radius - x_mm * x_mm) +
           sin(piece->tilt_rad) * piece->thick_mm / 2;
}

/* Part of a round window at `window_mm` that a piece covers. Light is evenly spread
 * over the window but for its rim, which fades out. */
static double covers(const struct scene *scene, const struct piece *piece, double at_s,
                     double window_mm, double radius_mm)
{
    double reach = half_reach_mm(piece, 0);
    double middle = front_mm(scene, piece, at_s) - reach - window_mm;
    if (fabs(middle) > reach + radius_mm)
        return 0;
    double covered = 0, all = 0;
    for (int i = 0; i < GRID; i++) {
        double x = radius_mm * (2.0 * i / (GRID - 1) - 1);
        double half = half_reach_mm(piece, x - piece->offset_mm);
        for (int j = 0; j < GRID; j++) {
            double s = radius_mm * (2.0 * j / (GRID - 1) - 1);
            double weight = fmin(1, fmax(0, (1 - hypot(x, s) / radius_mm) * 4));
            all += weight;
            covered += fabs(s - middle) <= half ? weight : 0;
        }
    }
    return covered / all;
}

/* Forget pieces that are long gone; those that lie in the beam stay. */
static void tidy(struct scene *scene, double at_s)
{
    int kept = 0;
    for (int i = 0; i < scene->count; i++) {
        const struct piece *piece = &scene->pieces[i];
        bool gone = at_s > piece->beam_s + LONG_AGO_S && at_s > piece->rest_s &&
                    front_mm(scene, piece, at_s) > 2 * half_reach_mm(piece, 0) + 5;
        if (!gone)
            scene->pieces[kept++] = *piece;
    }
    scene->count = kept;
}

double optics_beam(struct scene *scene, double at_s)
{
    double through = 1 - scene->shade;
    tidy(scene, at_s);
    for (int i = 0; i < scene->count; i++) {
        double covered = covers(scene, &scene->pieces[i], at_s, 0, BEAM_RADIUS_MM);
        through *= 1 - covered * (1 - LEAK);
    }
    return scene->beam * through;
}

/* Where pieces overlap, the one in front hides the other. */
double optics_spot(const struct scene *scene, double at_s)
{
    double light = scene->wall + scene->cover * scene->spot / 2;
    double brightest = 0, hidden = 0;
    for (int i = 0; i < scene->count; i++) {
        const struct piece *piece = &scene->pieces[i];
        double window = -scene->beam_spacing_mm;
        double covered = covers(scene, piece, at_s, window, SPOT_RADIUS_MM);
        if (covered <= 0)
            continue;
        double reach = half_reach_mm(piece, 0);
        double along = (front_mm(scene, piece, at_s) - reach - window) / reach;
        double back = scene->spot * piece->albedo * (1 + piece->slope * along);
        brightest = fmax(brightest, covered * back);
        hidden = fmax(hidden, covered);
    }
    return light * (1 - hidden) + brightest;
}

double optics_ambient(const struct scene *scene, double at_s)
{
    return scene->ambient + scene->flicker * sin(2 * PI * scene->lamp_hz * at_s);
}
