"""A closed browser changes nothing: the training goes on and its look is there afterwards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from .conftest import PATIENCE, App, Visit, open_tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_training_outlives_the_browser(visit: Visit, app: App) -> None:
    page = visit()
    open_tab(page, "Train")
    page.locator("[data-preset=quick]").click()
    expect(page.locator("[data-preset=quick]")).to_have_attribute("aria-checked", "true")
    page.get_by_role("button", name="More").first.click()
    steps = page.get_by_role("spinbutton", name="Steps")
    expect(steps).to_have_value("60")
    steps.fill("4")
    steps.blur()
    page.locator("#sp-train").click()
    expect(page.locator("#sp-stop")).to_be_visible()
    page.context.close()

    # nobody is looking; the page that opens next finds the running job by itself
    page = visit()
    jobs = app.desk().jobs
    assert [(job.kind, job.payload["config"]["steps"]) for job in jobs.listed()] == [("train", 4)]
    open_tab(page, "Train")
    proof = page.locator("#sp-proof .sp-proof")
    expect(proof).to_be_visible(timeout=2 * PATIENCE * 1000)
    expect(proof.locator("canvas")).to_have_count(2)
    assert jobs.listed()[0].state == "done"

    # and the look can be chosen in the line above the tabs
    made = app.desk().library.adapters(jobs.listed()[0].character)
    assert len(made) == 1
    look = page.get_by_label("Look", exact=True)
    expect(look.locator("option")).to_have_count(2)
    look.select_option(made[0].folder.name)
    expect(page.get_by_role("radio", name="1 · rank 8")).to_be_checked()
    assert app.desk().library.character(jobs.listed()[0].character).adapter == made[0].folder.name
