"""Opens pages in Chromium and holds them against what Scripts/check-pages promises."""

import pathlib
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

# What a page may weigh: one scenario with its lanes, and the shipped suite (bytes).
PAGE_SIZE_MAX = 300_000
SUITE_SIZE_MAX = 1_500_000


def check_view(browser, page_path, folder, scheme, width):
    """One page in one size and scheme; gives what is wrong."""
    wrong = []
    context = browser.new_context(
        color_scheme=scheme, viewport={"width": width, "height": 900}
    )
    page = context.new_page()
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: wrong.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: wrong.append(f"script: {error}"))
    page.goto(page_path.resolve().as_uri())
    if len(requests) != 1:
        wrong.append(f"{len(requests)} requests")
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        wrong.append("scrolls sideways")
    for violation in Axe().run(page).response["violations"]:
        wrong.append(f"axe: {violation['id']}: {violation['nodes'][0]['html'][:120]}")
    page.screenshot(
        path=folder / f"{page_path.stem}-{scheme}-{width}.png", full_page=True
    )
    if width > 1000:
        wrong += check_range(page)
        wrong += check_sounds(page)
    context.close()
    return wrong


def check_sounds(page):
    """Loads each sound that the page offers; all of them have a length."""
    load = """player => new Promise(end => {
        player.onloadedmetadata = () => end(player.duration);
        player.onerror = () => end(0);
        player.preload = 'metadata';
        player.load();
    })"""
    players = page.locator("audio").all()
    lengths = [player.evaluate(load) for player in players]
    return [
        f"sound {index + 1} cannot be played"
        for index, length in enumerate(lengths)
        if not length
    ]


def check_range(page):
    """Drags over the first lanes and types a range by keyboard; records follow both."""
    page.evaluate("document.querySelectorAll('details.scenario').forEach(one => one.open = true)")
    # In brief a scenario shows lanes without records.
    story = page.locator(".story:has(tr[data-at])").first
    if not story.count():
        return []
    wrong = []
    for summary in story.locator("summary").all():
        summary.click()
    opening = story.locator("svg.lanes").first.get_attribute("data-from")
    begin = story.locator("form.range input").first.input_value()
    if opening and abs(float(begin) - int(opening) / 1e9) > 0.001:
        wrong.append(f"the lanes open at {begin} s, not at {opening} ns")
    story.locator("button", has_text="whole run").click()
    visible = "rows => rows.filter(row => !row.hidden).length"
    rows = story.locator("tr[data-at]")
    before = rows.evaluate_all(visible)
    drawing = story.locator("svg.lanes").first
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    x = [box["x"] + box["width"] * share for share in (0.3, 0.5)]
    y = box["y"] + box["height"] / 2
    page.mouse.move(x[0], y)
    page.mouse.down()
    page.mouse.move(x[1], y)
    page.mouse.up()
    if not rows.evaluate_all(visible) < before:
        wrong.append("dragging hides no record")
    if "--from" not in story.locator(".command code").first.inner_text():
        wrong.append("the command does not take the range along")
    story.locator("button", has_text="whole run").focus()
    page.keyboard.press("Enter")
    if rows.evaluate_all(visible) != before:
        wrong.append("the whole run does not come back by keyboard")
    return wrong


def check_without_scripts(browser, page_path):
    """Verdict, gates and pictures are there with scripts off; what needs them is not."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_path.resolve().as_uri())
    wrong = []
    # The page of sounds has players and nothing else.
    has_players = page.locator("audio[controls]").count() > 0
    if not has_players and not page.locator(".verdict").is_visible():
        wrong.append("no verdict without scripts")
    if page.locator("button:visible").count():
        wrong.append("a button that does nothing without scripts")
    if not has_players and not page.locator("svg").count():
        wrong.append("no picture without scripts")
    context.close()
    return wrong


def main():
    folder = pathlib.Path(sys.argv[1])
    failures = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        for path in map(pathlib.Path, sys.argv[2:]):
            wrong = []
            size = path.stat().st_size
            limit = SUITE_SIZE_MAX if path.stem == "suite" else PAGE_SIZE_MAX
            if size > limit:
                wrong.append(f"{size} bytes, at most {limit}")
            for scheme in ("light", "dark"):
                for width in (1280, 390):
                    found = check_view(browser, path, folder, scheme, width)
                    wrong += [f"{scheme} {width}: {line}" for line in found]
            wrong += check_without_scripts(browser, path)
            print(f"{'FAIL' if wrong else 'pass'}  {path}  {size} bytes")
            for line in wrong:
                print(f"      {line}")
            failures += bool(wrong)
        browser.close()
    sys.exit(1 if failures else 0)


main()
