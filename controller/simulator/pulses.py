"""What the beams saw is passed to the node that reports it."""

from controller.pockets.pty_node import PtyNode
from controller.pockets.simulated import SimulatedNode, looks_like
from controller.simulator.world import World


def pass_on(
    world: World, node: SimulatedNode | PtyNode, started_s: float = 0.0
) -> None:
    """Let a node report the world's new pulses; `started_s`: host time of second 0."""
    for pulse in world.take_pulses():
        at_s = pulse.at_s + started_s
        node.pulse(pulse.pocket, at_s, pulse.width_us, looks_like(pulse.reach_mm))
