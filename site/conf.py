"""Sphinx's settings for the rendered course; `tools/build_site.py` runs it on what is in `_build/source`."""

import sys
from pathlib import Path

SITE = Path(__file__).parent
ROOT = SITE.parent
sys.path.insert(0, str(ROOT / "tools"))

import repository  # noqa: E402
from reader_site import BUILD, fingerprint  # noqa: E402

address = repository.address()
on_binder = repository.launch("")

project = "Write Your Own Backward"
language = "en"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "reader_site.addresses",
    "reader_site.cards",
    "reader_site.corners",
    "reader_site.folds",
    "reader_site.formulas",
    "reader_site.headings",
    "reader_site.messages",
    "reader_site.page_cells",
    "reader_site.repeated",
    "reader_site.search",
    "reader_site.sharing",
    "reader_site.structured_data",
    "reader_site.wide",
]
exclude_patterns = ["front"]  # is put into the first page
nitpick_ignore_regex = [("py:.*", r".*")]  # types of other projects have no page here

# notebooks: executed once, then taken from the cache until they, or what they import, change
nb_execution_mode = "cache"
nb_execution_cache_path = str(fingerprint.executed())
nb_execution_raise_on_error = True
nb_execution_timeout = 180
nb_output_stderr = "warn"
nb_code_prompt_show = nb_code_prompt_hide = "The code of this cell"
nb_merge_streams = True
nb_ipywidgets_js = {}  # there is no kernel here for a widget; its picture stands in its place
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["amsmath", "dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
myst_update_mathjax = False  # reader_site.formulas sets the formulas
myst_url_schemes = {
    "http": None,
    "https": None,
    "mailto": None,
    "binder": on_binder + "{{path}}",
    "repository": address + "/{{path}}",
}

# the reference: docstrings are prose, in which `name` is code
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
add_module_names = False
python_use_unqualified_type_names = True

html_static_path = [str(SITE / "static"), str(BUILD / "static")]
templates_path = ["templates"]
html_css_files = ["icons.css", "site.css"]
html_js_files = ["start.js", "site.js"]

html_theme = "sphinx_book_theme"
html_title = project
html_baseurl = repository.site()
html_favicon = str(SITE / "static" / "favicon.svg")
html_sidebars = {"index": []}
html_domain_indices = False
html_additional_pages = {"search": "search.html", "404": "404.html"}
html_context = {
    "default_mode": "auto",  # a first visit has no other, and the theme would complain of it
    "on_binder": on_binder,
}
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "repository_url": address,
    "repository_branch": "main",
    "path_to_docs": "",  # the pages of notebooks have the notebooks' own paths
    "use_repository_button": True,
    "use_download_button": False,
    "article_header_end": ["open-in-binder", "article-header-buttons"],
    "navbar_persistent": [],  # the search field is in the sidebar
    "show_toc_level": 1,
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "show_navbar_depth": 1,
    "footer_content_items": ["extra-footer"],
    "extra_footer": "Texts under CC BY 4.0, code under BSD-3-Clause.",
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copybutton_selector = "div.highlight-ipython3 pre, div.highlight-python pre, div.highlight-sh pre"
