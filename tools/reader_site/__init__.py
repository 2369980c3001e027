"""Makes the sources of the rendered course out of notebooks, docstrings and the corpus of mistakes.

`stage` puts everything where Sphinx looks for it: `notebooks` changes what a reader without a kernel should
see otherwise, `mistakes` reads the data of `site/mistakes/`, `symptoms` runs each example, `mistakes_page`
writes the page and `folds` folds its entries; `gallery` runs the files of `site/gallery/` and `site/wild/`,
`gallery_page` and `wild_page` write those pages; `front` makes what the first page shows. `cards` links the
names in all cards, `formulas` sets the formulas, `headings` and `corners` mend headings of pages and tables;
`repeated`, `images`, `icons`, `theme`, `scripts` and `unused` keep pages small, `npm` runs what npm has
installed. `search` writes what the site's search reads, `page_cells` what runs a reader's cell. `sharing`,
`structured_data` and `addresses` tell others which pages there are and what they are about. `fingerprint`
says when any of it is out of date.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SITE = ROOT / "site"
BUILD = SITE / "_build"

sys.path.append(str(ROOT / "tests" / "support"))  # the corpus of submissions
