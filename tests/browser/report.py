#!/usr/bin/env python3
"""Opens pages of `antipode report` in headless Chromium, as a reader would.

Usage: report.py ANTIPODE [FOLDER FOR SCREENSHOTS]

Of every page: it is drawn, the console is empty, nothing is requested, and every figure has as many
marks as its data. Then switches and tables by keyboard, the dark scheme, and paper.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1240,1000")


# Small and strange ones: nothing to draw, nothing but one bar, lengths, directions, several components.
ODD = (
    "gen:path?n=0",
    "gen:path?n=1",
    "gen:path?n=2",
    "gen:er?n=5&degree=0",
    "gen:complete?n=9",
    "gen:star?n=400",
    "gen:er?n=300&degree=1.5",
    "gen:path?n=2000",
    "gen:er?n=200&degree=4&directed --directed",
    "gen:er?n=200&degree=2&lengths=1..99 --weighted",
    "gen:er?n=200&degree=4&lengths=1..99&directed --weighted --directed",
    "gen:ba?n=3000",
)


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        for flag in FLAGS:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.binary_location = "/usr/bin/chromium"
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))

    def open(self, page):
        self.driver.get_log("performance")
        self.driver.get(page.as_uri())
        assert self.script("return document.documentElement.dataset.ready") == "yes", f"{page.name} is not drawn"
        console = self.driver.get_log("browser")
        assert not console, f"{page.name}: {console}"
        sent = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = {each["params"]["request"]["url"] for each in sent if each["method"] == "Network.requestWillBeSent"}
        assert asked <= {page.as_uri()}, f"{page.name} asks for {asked}"
        return json.loads(self.script("return document.getElementById('data').textContent"))

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, condition):
        WebDriverWait(self.driver, 10).until(lambda driver: driver.execute_script(condition))

    def marks(self, figure, kind=".mark"):
        return len(self.all(f"[data-figure={figure}] {kind}"))

    def screenshot(self, file):
        height = self.script("return document.documentElement.scrollHeight")
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": 1240, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.save_screenshot(str(file))
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def bars(section):
    return sum(count > 0 for count in section.get("bins", {"counts": []})["counts"])


def check_marks(browser, graph):
    expected = {
        "distances": bars(graph["distances"]),
        "eccentricities": bars(graph["eccentricities"]),
        "spindle": bars(graph["spindle"]),
        "path": bars(graph["path"]),
        "closing": 2 * len(graph["diameter"].get("trace", [])),
        "degrees": len(graph["degrees"].get("points", [])),
    }
    for figure, count in expected.items():
        found = browser.marks(figure)
        assert found == count, f"{graph['name']}: {figure}: {found} marks of {count}"
    assert browser.marks("hops") >= bars(graph["distances"])
    assert browser.marks("path", ".stop") == len(graph["path"].get("stops", []))
    assert browser.marks("components", "tbody tr") == len(graph["component_list"].get("list", []))
    assert browser.marks("central", "tbody tr") == len(graph["central"].get("rows", []))


def check_switch(browser):
    """By the keyboard: the scale changes, the marks stay as many, and back."""
    button = browser.all("[data-figure=distances] [role=switch]")[0]
    heights = "return [...document.querySelectorAll('[data-figure=distances] .mark')].map(m => m.getAttribute('height'))"
    before = browser.script(heights)
    browser.script("arguments[0].focus()", button)
    browser.driver.switch_to.active_element.send_keys(Keys.SPACE)
    assert button.get_attribute("aria-checked") == "true"
    after = browser.script(heights)
    assert len(after) == len(before) and after != before
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert browser.script(heights) == before


def check_sorting(browser):
    """By the keyboard: every column, up and down."""
    column = "return [...document.querySelectorAll('[data-figure=central] tbody tr')].map(r => r.children[arguments[0]].textContent)"
    heads = browser.all("[data-figure=central] th button")
    assert len(heads) == 7
    for number, head in enumerate(heads):
        browser.script("arguments[0].focus()", head)
        orders = []
        for direction in range(2):
            browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
            cells = [float(cell.replace(",", "")) for cell in browser.script(column, number) if cell != "–"]
            said = browser.all("[data-figure=central] th")[number].get_attribute("aria-sort")
            assert said in ("ascending", "descending")
            assert cells == sorted(cells, reverse=said == "descending"), f"column {number} is not {said}"
            orders.append(said)
        assert len(set(orders)) == 2, orders
    assert len(browser.all("[data-figure=central] th[aria-sort]")) == 1


def check_numbers(browser, graph):
    """The table behind a figure is made when it is opened, by the keyboard."""
    summary = browser.all("[data-figure=distances] summary")[0]
    browser.script("arguments[0].focus()", summary)
    browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
    browser.wait("return document.querySelector('[data-figure=distances] tbody') !== null")
    assert browser.marks("distances", "tbody tr") == bars(graph["distances"])


def check_names(browser):
    for picture in browser.all("main svg[role=img]"):
        ids = picture.get_attribute("aria-labelledby").split()
        texts = [browser.script("return document.getElementById(arguments[0]).textContent", each) for each in ids]
        assert len(texts) == 2 and all(texts), texts


def check_comparison(browser, graphs):
    assert browser.marks("comparison", "tbody tr") == len(graphs) == 3
    for figure, section in (("distances", "distances"), ("eccentricities", "eccentricities")):
        assert browser.marks(f"compared-{figure}") == sum(bars(graph[section]) for graph in graphs)
        assert browser.marks(f"compared-{figure}", ".legend li") == len(graphs)
    assert browser.marks("compared-degrees") == sum(len(graph["degrees"]["points"]) for graph in graphs)
    assert browser.marks("distances") == sum(bars(graph["distances"]) for graph in graphs)


def luminance(color):
    parts = [int(part) / 255 for part in color[color.index("(") + 1 : -1].split(",")[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(browser, selector):
    """Of text on the page's ground."""
    ink, paper = browser.script(
        "return [getComputedStyle(document.querySelector(arguments[0])).color, getComputedStyle(document.body).backgroundColor]", selector)
    light, dark = sorted((luminance(ink), luminance(paper)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_schemes(browser, folder):
    grounds = set()
    for scheme in ("light", "dark"):
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        grounds.add(browser.script("return getComputedStyle(document.body).backgroundColor"))
        for selector in ("h1", "figcaption", ".card dt"):
            assert contrast(browser, selector) >= 4.5, f"{scheme}: {selector} has too little contrast"
        if folder:
            browser.screenshot(folder / f"{scheme}.png")
    assert len(grounds) == 2, grounds
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    shown = browser.script("return [...document.querySelectorAll('.switch, nav')].some(e => getComputedStyle(e).display !== 'none')")
    assert not shown, "switches are printed"
    paper = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    assert len(paper["data"]) > 10_000
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def main():
    program, folder = sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else None
    browser = Browser()
    try:
        with tempfile.TemporaryDirectory() as work:
            page = Path(work) / "page.html"

            def report(*words, stopped=False):
                done = subprocess.run(
                    [program, "report", *words, "-o", str(page), "--quiet", "--engine", "cpu", "--time-limit", "0"],
                    env={**os.environ, **({"ANTIPODE_STOP": "computing"} if stopped else {})})
                assert done.returncode == (5 if stopped else 0)
                return browser.open(page)

            graph = report("gen:karate")["graphs"][0]
            check_marks(browser, graph)
            assert browser.marks("distances") == 5 and browser.marks("eccentricities") == 3
            check_switch(browser)
            check_sorting(browser)
            check_numbers(browser, graph)
            for odd in ODD:
                for graph in report(*odd.split())["graphs"]:
                    check_marks(browser, graph)
                check_names(browser)
                assert "NaN" not in browser.script("return document.body.innerHTML"), odd
            for graph in report("gen:ba?n=3000", "gen:grid?rows=9&cols=9", stopped=True)["graphs"]:
                check_marks(browser, graph)
            assert "not computed" in browser.script("return document.body.innerText")
            check_comparison(browser, report("gen:karate", "gen:ba?n=400", "gen:path?n=500")["graphs"])
            graph = report("gen:karate")["graphs"][0]
            check_schemes(browser, folder)
    finally:
        browser.driver.quit()
    print("pages are drawn, quiet and usable")


if __name__ == "__main__":
    main()
