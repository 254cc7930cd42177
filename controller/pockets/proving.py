"""Has a pocket node prove that it is the one whose key this host knows.

For tournaments: a swapped or emulated node cannot answer. It does not stop somebody
who reads the key out of the node with a programmer, nor does it sign each report:
seal the box (docs/pockets.md).
"""

import secrets
from collections.abc import Callable
from math import inf
from struct import pack

from controller.pockets import messages as wire
from controller.pockets.siphash import siphash

EVERY_S = 60.0
AGAIN_S = 0.3
"""A challenge or its answer may be lost on the cable."""
LONGEST_S = 5.0
KEYLESS = (
    "the pocket node holds no key: write it with carrom pockets --write-key, or take "
    "key_file out of [pockets]"
)
WRONG = (
    "the pocket node does not know the key in [pockets] key_file: is it this table's "
    "node, and was its key changed?"
)
UNPROVEN = "the pocket node does not answer challenges: plug it in again"


class Proving:
    """Challenges one start of one node, and judges its answers.

    Without a key every node is trusted at once.
    """

    def __init__(
        self,
        key: bytes | None,
        nonces: Callable[[], int] = lambda: secrets.randbits(64),
    ) -> None:
        self._key = key
        self._nonces = nonces
        self._nonce: int | None = None
        self._first_s = self._asked_s = -inf
        self._proved_s = -inf
        self.proved = key is None

    def challenge(self, at_s: float) -> wire.Challenge | None:
        """The challenge that is due now, if one is."""
        if self._key is None or at_s - self._proved_s < EVERY_S:
            return None
        if self._nonce is None:
            self._nonce, self._first_s = self._nonces(), at_s
        elif at_s - self._asked_s < AGAIN_S:
            return None
        self._asked_s = at_s
        return wire.Challenge(self._nonce)

    def judge(
        self, proof: wire.Proof, device: int, boot: int, at_s: float
    ) -> str | None:
        """Take an answer in; why the node is to be refused, or None."""
        if self._key is None or proof.nonce != self._nonce:
            return None
        proven = pack("<QQHI", proof.nonce, device, boot, proof.next)
        self._nonce = None
        self.proved = proof.mac == siphash(self._key, proven)
        self._proved_s = at_s if self.proved else -inf
        return None if self.proved else WRONG

    def overdue(self, at_s: float) -> bool:
        """Whether the node left a challenge unanswered for too long."""
        return self._nonce is not None and at_s - self._first_s > LONGEST_S
