"""What surrounds the pages, asked of the real server: headers, and an address that moved."""

import urllib.request


def test_every_answer_carries_the_headers(server):
    with urllib.request.urlopen(f"{server}/masked", timeout=10) as answer:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"


def test_the_start_page_has_a_name_too(server):
    with urllib.request.urlopen(f"{server}/home?text=a%20%5BMASK%5D", timeout=10) as answer:
        assert answer.status == 200 and answer.url == f"{server}/?text=a%20%5BMASK%5D"
