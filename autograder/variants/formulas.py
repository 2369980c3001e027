"""Formulas as mathematics and as code: SymPy differentiates them and writes them in both forms."""

import re
from typing import Any

import sympy
from sympy.printing.str import StrPrinter

NAMES = ("s", "t", "u", "v", "w", "x", "y", "scale", "shift", "d")


class sigmoid(sympy.Function):  # noqa: N801 - SymPy names a function by its class
    """1/(1 + exp(−x)), with its derivative in terms of itself."""

    def fdiff(self, argindex: int = 1) -> Any:
        """Return σ(1 − σ)."""
        return self * (1 - self)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        power = f"^{{{exp}}}" if exp else ""
        return rf"\sigma{power}\left({printer._print(self.args[0])}\right)"


def expression(formula: str) -> Any:
    """Return a formula of real numbers; its names are those of the text, such as `scale`."""
    names = {name: sympy.Symbol(name, real=True) for name in NAMES}
    return sympy.sympify(formula.replace("abs(", "Abs("), locals={**names, "sigmoid": sigmoid})


def derivative(formula: Any, name: str) -> Any:
    """Return the derivative of a formula in one of its names, in a form to be read."""
    parsed = expression(formula) if isinstance(formula, str) else formula
    slope = sympy.diff(parsed, sympy.Symbol(name, real=True))
    return slope if slope.has(sympy.sign) else sympy.simplify(slope)  # which makes cases of a sign


def latex(formula: Any, **names: str) -> str:
    """Return a formula as LaTeX, with other names where some are given."""
    parsed = expression(formula) if isinstance(formula, str) else formula
    symbols = {sympy.Symbol(old, real=True): new for old, new in names.items()}
    return str(sympy.latex(parsed, symbol_names=symbols))


class _Code(StrPrinter):
    """Writes functions as PyTorch's."""

    def _print_Function(self, expr: Any) -> str:  # noqa: N802 - SymPy's name for it
        return f"torch.{expr.func.__name__.lower()}({self.stringify(expr.args, ', ')})"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:  # noqa: N802 - SymPy's name for it
        if expr.exp == sympy.S.Half:
            return f"torch.sqrt({self._print(expr.base)})"
        return str(super()._print_Pow(expr, rational))


def code(formula: Any, **names: str) -> str:
    """Return a formula as Python with PyTorch's functions, with other expressions for some of its names."""
    parsed = expression(formula) if isinstance(formula, str) else formula
    symbols = {sympy.Symbol(old, real=True): sympy.Symbol(new) for old, new in names.items()}
    written = _Code().doprint(parsed.subs(symbols))
    return re.sub(r"(?<!\*)\*(?!\*)|/", lambda sign: f" {sign[0]} ", written)


def factor(formula: Any, **names: str) -> str:
    """Return a formula as code that can stand as a factor: a sum in brackets."""
    parsed = expression(formula) if isinstance(formula, str) else formula
    written = code(parsed, **names)
    return f"({written})" if isinstance(parsed, sympy.Add) or "/" in written or written[0] == "-" else written


def before(constant: float, sign: str = r"\,") -> str:
    """Return a constant as it stands before what it multiplies, in LaTeX or with another sign."""
    return {1.0: "", -1.0: "-"}.get(constant, f"{constant:g}{sign}")


def at(formula: Any, **values: float) -> float:
    """Return the value of a formula."""
    parsed = expression(formula) if isinstance(formula, str) else formula
    return float(parsed.subs({sympy.Symbol(name, real=True): value for name, value in values.items()}))
