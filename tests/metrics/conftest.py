from pytest import fixture

from .cases import Together


@fixture(scope="module")
def together(request):
    """The selected cases of a file, which are evaluated together."""
    items = [item for item in request.session.items if item.path == request.path]
    called = [item.callspec.params for item in items if hasattr(item, "callspec")]
    return Together(case for params in called for case in params.get("cases", ()))
