"""What the beams saw is passed to the node that reports it."""

from controller.pockets.messages import Looks
from controller.pockets.pty_node import PtyNode
from controller.pockets.simulated import COIN_WIDTH_US, SimulatedNode
from controller.simulator.truth import Pulse
from controller.simulator.world import World

TWO_COINS = 1.5
"""A beam dark for more than so many coins' time was broken by two."""


def pass_on(
    world: World, node: SimulatedNode | PtyNode, started_s: float = 0.0
) -> None:
    """Let a node report the world's new pulses; `started_s`: host time of second 0."""
    for pulse in world.take_pulses():
        at_s = pulse.at_s + started_s
        node.pulse(pulse.pocket, at_s, pulse.width_us, _looks(pulse))


def _looks(pulse: Pulse) -> Looks:
    two = pulse.width_us > TWO_COINS * COIN_WIDTH_US
    return Looks.TWO_COINS if two else Looks.ONE_COIN
