"""Sphinx: how the documents become the site. build.py stages them and sets what is read here."""

import os
import sys
from pathlib import Path

ROOT = Path(os.environ["ANTIPODE_ROOT"])
MODULE = os.environ.get("ANTIPODE_MODULE", "")  # a folder with the built Python package
if MODULE:
    sys.path.insert(0, MODULE)

project = "Antipode"
author = "The Antipode authors"
copyright = "2026, The Antipode authors. MIT licence"
version = release = os.environ["ANTIPODE_VERSION"]

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
exclude_patterns = []
source_suffix = {".md": "markdown"}
highlight_language = "console"  # fences without a language are commands and what they print

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
default_role = "code"  # docstrings write names in single backticks

nitpicky = True
# Types of other packages, and our private ones, have no page here.
nitpick_ignore_regex = [(r"py:.*", r"(?!antipode_graph\.[A-Z]).*")]

html_theme = "furo"
html_title = f"Antipode {version}"
html_static_path = [str(ROOT / "docs/_site/static")]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
