"""Which stores to shared memory the copy engine sees: those that a proxy fence is behind.

A copy of bulk reads shared memory through another path than threads do. A store is seen if its
thread fenced after it, or if it is ordered before a fence of the thread that copies.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grader.simt.checks.shadow import Accessors, Ints, find_before, find_scope
from grader.simt.checks.shadow_records import ShadowRecord
from grader.simt.masks import Bools, Mask


class ProxyFences:
    """When each thread of a chunk fenced last, and what it knew then.

    Attributes:
        now: (blocks, threads) its warp's time after it; 0 without a fence.
        since: (blocks, threads) time of its block's last barrier then.
        vector: (blocks, threads, warps) of the clock then, if that was kept.
        copies: numbers of the sites where the copy engine stores itself: it sees that.
    """

    def __init__(self, blocks: int, threads: int) -> None:
        self.now: Ints = np.zeros((blocks, threads), dtype=np.int32)
        self.since: Ints = np.zeros((blocks, threads), dtype=np.int32)
        self.vector: Ints | None = None
        self.copies: set[int] = set()

    def fence(self, mask: Mask, now: Ints, since: Ints, vector: Ints | None) -> None:
        """Note a fence of some threads; what follows is later than `now`, as the clock has it."""
        there = mask.full
        self.now, self.since = np.where(there, now, self.now), np.where(there, since, self.since)
        if vector is not None:
            before = np.zeros_like(vector) if self.vector is None else self.vector
            self.vector = np.where(there[:, :, None], vector, before)

    def find_missing(self, record: ShadowRecord, accessors: Accessors) -> Bools:
        """Test which threads copy what a store left that no fence is behind."""
        cells = np.asarray(accessors.cells)
        prior = record.thread[cells]
        when = np.zeros_like(prior) if record.when is None else record.when[cells]
        own, copier = (np.maximum(each, 1) - 1 for each in (prior, accessors.thread))
        now = self.now.reshape(-1)
        vector = None if self.vector is None else self.vector.reshape(now.size, -1)[copier]
        then = replace(
            accessors,
            now=now[copier],
            since=self.since.reshape(-1)[copier],
            vector=vector,
            known=None,
        )
        scope = find_scope(own + 1, accessors.thread, accessors.threads)
        known = find_before(when, np.maximum(scope, 1), then, slice(None), own + 1)
        copied = np.isin(record.site[cells], [*self.copies])
        missing: Bools = (prior != 0) & ~(when < now[own]) & ~known & ~copied
        return missing
