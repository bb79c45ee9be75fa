"""Models stay loaded within a budget, and never go while somebody draws with them."""

from __future__ import annotations

from threading import Barrier, Thread

from pipelines.memory import ModelCache


def test_the_least_recently_used_goes_first():
    cache: ModelCache[str] = ModelCache(2.0)
    for key in ("a", "b", "a", "c"):
        with cache.lease(key, 1.0, lambda key=key: key.upper()) as model:
            assert model == key.upper()
    assert cache.loaded() == ("a", "c")


def test_a_model_on_lease_is_kept():
    cache: ModelCache[str] = ModelCache(1.0)
    with cache.lease("a", 1.0, lambda: "A"), cache.lease("b", 1.0, lambda: "B"):
        assert cache.loaded() == ("a", "b")
    with cache.lease("c", 1.0, lambda: "C"):
        assert cache.loaded() == ("c",)


def test_two_callers_load_it_once():
    cache: ModelCache[object] = ModelCache(1.0)
    gate, got, loads = Barrier(4), [], []

    def use() -> None:
        gate.wait()
        with cache.lease("a", 1.0, lambda: loads.append(1) or object()) as model:
            got.append(model)

    threads = [Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loads) == 1
    assert len(set(map(id, got))) == 1


def test_a_failed_load_leaves_nothing_behind():
    cache: ModelCache[str] = ModelCache(1.0)
    try:
        with cache.lease("a", 1.0, lambda: 1 / 0):  # type: ignore[arg-type, return-value]
            pass
    except ZeroDivisionError:
        pass
    assert cache.loaded() == ()
