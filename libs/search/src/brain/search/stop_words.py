"""Stop words: what a question is made of besides what it asks for. English and Turkish.

They are left out of questions only; documents are indexed in full, so a title made of nothing else
is still found. Words that carry something of their own (*first*, *between*, *without*, *most*) are
no stop words: leaving them out lost more on question sets than it gained.
"""

_ENGLISH = """
a about all also am an and any are as at be because been being by can could did do does doing done
each either for from had has have having he her here hers him his how i if in into is it its itself
just me might mine my no nor of on only or our ours shall she should so some such than that the
their theirs them then there these they this those to us was we were what when where which while
who whom whose why will with would you your yours
don doesn didn isn aren wasn couldn wouldn shouldn ll re s t ve
"""
_TURKISH = """
acaba ama ancak bir bu bunu bunun da de diye gibi hangi hem her icin ile ise ki kim kimin mi mu
nasil ne neden nedir nerede nereye niye o olan olarak onu onun su ve veya ya yani
"""

#: Folded as the analyzer folds words.
STOP_WORDS = frozenset(_ENGLISH.split()) | frozenset(_TURKISH.split())
