"""Best places: the nodes beneath a child that hold the passages which match best."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

import msgspec

from brain.query.beneath import Spot
from brain.query.node_ref import document_nodes
from brain.query.node_view import BestPlace
from brain.query.search_index import SearchIndex
from brain.query.standing import standing_of
from brain.query.view import View
from brain.search.chunk_place import ChunkPlace
from brain.store.index import StoredDocument
from brain.tree.node import node_id

#: Digits of a match that are told.
MATCH_DIGITS = 2


class AskedPlaces(msgspec.Struct, frozen=True):
    """A child and the passages in it or beneath it, best first."""

    child: str
    spots: Sequence[Spot]
    #: Places wanted at most.
    most: int


async def best_places(
    view: View, index: SearchIndex, asked: Sequence[AskedPlaces]
) -> list[list[BestPlace]]:
    """Return for each child the best nodes beneath it, itself left out and none twice.

    A place has the lines of its best passage.
    """
    wanted = list(dict.fromkeys(spot.path for each in asked for spot in each.spots))
    places = await view.places(wanted)
    documents = {each.path: each for each in await view.documents(wanted)}
    statuses = {path: _status_of(index, path) for path in wanted}
    return [_best(each, places, documents, statuses) for each in asked]


def _best(
    asked: AskedPlaces,
    places: Mapping[str, Sequence[ChunkPlace]],
    documents: Mapping[str, StoredDocument],
    statuses: Mapping[str, str],
) -> list[BestPlace]:
    found: dict[str, BestPlace] = {}
    for spot in asked.spots:
        if len(found) == asked.most:
            break
        place, document = places[spot.path][spot.place], documents[spot.path]
        nodes = document_nodes(document)
        name = node_id(spot.path, nodes[place.node].anchor)
        if name != asked.child and name not in found:
            found[name] = BestPlace(
                id=name,
                title=nodes[place.node].title,
                document_title=nodes[0].title,
                path=spot.path,
                line_start=place.line_start,
                line_end=place.line_end,
                match=round(spot.worth, MATCH_DIGITS),
                status=statuses[spot.path] or msgspec.UNSET,
            )
    return list(found.values())


def _status_of(index: SearchIndex, path: str) -> str:
    standing = standing_of(index, index.numbers[path], datetime.now(UTC).date())
    return standing.status if standing else ""
