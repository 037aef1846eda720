"""A model that chooses: any chat endpoint that speaks OpenAI's protocol walks in our place."""

import re
from collections.abc import Sequence
from typing import Any

import httpx

from brain.evaluation.navigator import LexicalNavigator, Range, Shown

_RULE = (
    "You look for the document that answers a question in a tree of folders and documents. "
    "You see what is known of each choice and open one at a time. "
    "Reply with the number of the choice to open next, and nothing else."
)
#: Choices a model is asked about at once; the lexical rule picks them when there are more.
_MOST_CHOICES = 300
_NUMBER = re.compile(r"\d+")


class ModelError(Exception):
    """The model's endpoint gave no answer."""


class ModelChooser:
    """Asks a model at every step; a reply that names no choice is settled by the lexical rule."""

    def __init__(self, http: httpx.AsyncClient, url: str, name: str, question: str) -> None:
        self._http = http
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._name = name
        self._question = question
        self._rule = LexicalNavigator(question)
        self._shown: dict[str, Shown] = {}

    def see(self, parent: str, children: Sequence[Shown]) -> None:
        """Remember what a page showed."""
        self._rule.see(parent, children)
        for child in children:
            places = {each.id.partition("#")[0]: each for each in child.best}
            self._shown = {**places, **self._shown, child.id: child}

    async def choose(self, choices: Sequence[Range]) -> Range:
        """Return the choice whose number the model replies.

        Raises:
            ModelError: the endpoint refuses, is away, or answers in another form.
        """
        ranked = sorted(choices, key=self._rule.worth, reverse=True)[:_MOST_CHOICES]
        offered = [each for each in choices if each in set(ranked)]
        if len(offered) == 1:
            return offered[0]
        lines = [f"{number}. {self._told(each)}" for number, each in enumerate(offered, start=1)]
        reply = await self._ask(f"Question: {self._question}\n\n" + "\n".join(lines))
        found = _NUMBER.search(reply)
        number = int(found.group()) if found else 0
        return offered[number - 1] if 1 <= number <= len(offered) else ranked[0]

    def _told(self, choice: Range) -> str:
        if choice.offset:
            return f"{choice.node}: more children from {choice.first} on"
        shown = self._shown.get(choice.node, Shown(choice.node))
        return " ".join(part for part in (shown.id, shown.title, shown.summary) if part)

    async def _ask(self, prompt: str) -> str:
        messages = [
            {"role": "system", "content": _RULE},
            {"role": "user", "content": prompt},
        ]
        body: dict[str, Any] = {"model": self._name, "messages": messages, "temperature": 0}
        try:
            answer = await self._http.post(self._url, json=body)
            answer.raise_for_status()
            return str(answer.json()["choices"][0]["message"]["content"])
        except (httpx.HTTPError, ValueError, KeyError, IndexError, TypeError) as error:
            raise ModelError(f"{self._url}: {error!r}") from error
