"""The author screen as a review opens it: with the answer that the sample is fixed for beside it."""

from __future__ import annotations

from sampleui.deck.history import Focus
from sampleui.sample.model import Sample
from sampleui.settings.options import Settings
from sampleui.tui.author.preview.rows import Subject
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.author.session import Session
from sampleui.tui.review.answered import Answered
from sampleui.tui.themes import has_colours


class FixScreen(AuthorScreen):
    """Edits a sample beside a recorded answer, which its assertions are evaluated on again as one types."""

    def __init__(self, session: Session, settings: Settings, focus: Focus, answered: Answered | None) -> None:
        super().__init__(session.deck, settings, focus, session)
        self._answered = answered
        self._fixed = session.deck.samples[focus.sample].id

    def subject(self, sample: Sample) -> Subject:
        """Return what the preview shows, the answer with the sample that it is an answer to."""
        subject, brackets = super().subject(sample), not has_colours(self.app)
        return subject._replace(answered=self._of(sample), brackets=brackets)

    def known(self) -> tuple[str, str]:
        """Return what is known where the cursor is, after what the assertions say of the answer."""
        text, style = super().known()
        answered = self._of(self.sample)
        if answered is None or self.sample is None:
            return text, style
        said, told = answered.said(self.sample)
        return (f"{said} · {text}", style) if text else (said, told)

    def _of(self, sample: Sample | None) -> Answered | None:
        return self._answered if sample is not None and sample.id == self._fixed else None
