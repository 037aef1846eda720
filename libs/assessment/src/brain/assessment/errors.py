"""What is wrong with the files that an assessment reads."""


class AssessmentError(Exception):
    """A golden file or a public set cannot be read."""


class GoldenError(AssessmentError):
    """The golden file cannot be read."""


class DataSetError(AssessmentError):
    """The folder holds no set in the form that is read."""
