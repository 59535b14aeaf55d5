/** What nodeadm tells a `maxPodsExpression` about the instance type. */
export interface MaxPodsVariables {
  /** Interfaces of the default network card. */
  readonly default_enis: number;
  /** IPv4 addresses per interface, its own included. */
  readonly ips_per_eni: number;
  /** What nodeadm computes without an expression. */
  readonly max_pods: number;
}

/** Longer expressions count as not readable; no sensible one comes near. */
const LONGEST = 1000;
/** kubelet's limit is an int32. */
const MOST_PODS = 2 ** 31 - 1;

/**
 * The number of pods that nodeadm computes from a `maxPodsExpression`. Only the arithmetic that such expressions are made of is
 * understood: whole numbers, the three variables, `+ - * / %`, comparisons, `&& || !`, `?:` and parentheses, as CEL evaluates them on
 * integers. Where the result is no number of pods nodeadm goes back to `max_pods`.
 * Source: awslabs/amazon-eks-ami, `nodeadm/internal/kubelet/eni_max_pods.go`; google/cel-spec, "Language Definition".
 * @returns undefined for an expression that isn't understood, right or wrong
 */
export function evaluateMaxPodsExpression(expression: string, variables: MaxPodsVariables): number | undefined {
  if (expression.length > LONGEST) return undefined;
  const tokens = tokensOf(expression);
  if (tokens === undefined) return undefined;
  const result = new Expression(tokens, variables).evaluate();
  if (typeof result !== 'number') return undefined;
  return result > 0 && result <= MOST_PODS ? result : variables.max_pods;
}

const TOKEN = /\s*(?:(\d{1,15}|[a-z_]+)(?![\w.])|(&&|\|\||[<>=!]=|[-+*/%()?:<>!]))/y;

/** Undefined if there is anything else in it: fractions, functions, strings. */
function tokensOf(expression: string): readonly string[] | undefined {
  const text = expression.trim();
  const tokens: string[] = [];
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const token = match?.[1] ?? match?.[2];
    if (token === undefined) return undefined;
    tokens.push(token);
    at = TOKEN.lastIndex;
  }
  return tokens;
}

type Result = number | boolean | undefined;

/** Binary operators by how strongly they bind, weakest first. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['||']),
  new Set(['&&']),
  new Set(['<', '<=', '>', '>=', '==', '!=']),
  new Set(['+', '-']),
  new Set(['*', '/', '%']),
];

class Expression {
  private at = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly variables: MaxPodsVariables,
  ) {}

  evaluate(): Result {
    const result = this.conditional(0);
    return this.at === this.tokens.length ? result : undefined;
  }

  private conditional(depth: number): Result {
    // Each level of parentheses takes some calls; nobody writes fifty.
    if (depth > 50) {
      this.fail();
      return undefined;
    }
    const condition = this.binary(0, depth);
    if (!this.take('?')) return condition;
    const yes = this.binary(0, depth);
    if (!this.take(':')) {
      this.fail();
      return undefined;
    }
    const no = this.conditional(depth + 1);
    // CEL checks the types of both branches before it evaluates one.
    if (typeof condition !== 'boolean' || typeof yes !== typeof no) return undefined;
    return condition ? yes : no;
  }

  private binary(level: number, depth: number): Result {
    const operators = LEVELS[level];
    if (operators === undefined) return this.unary(depth);
    let left = this.binary(level + 1, depth);
    for (
      let operator = this.tokens[this.at];
      operator !== undefined && operators.has(operator);
      operator = this.tokens[this.at]
    ) {
      this.at++;
      left = combine(operator, left, this.binary(level + 1, depth));
    }
    return left;
  }

  private unary(depth: number): Result {
    if (this.take('-')) {
      const value = this.unary(depth);
      return typeof value === 'number' ? 0 - value : undefined;
    }
    if (this.take('!')) {
      const value = this.unary(depth);
      return typeof value === 'boolean' ? !value : undefined;
    }
    if (this.take('(')) {
      const value = this.conditional(depth + 1);
      if (this.take(')')) return value;
      this.fail();
      return undefined;
    }
    const token = this.tokens[this.at++];
    if (token === undefined) return undefined;
    if (/^\d/.test(token)) return Number(token);
    return isVariable(token, this.variables) ? this.variables[token] : undefined;
  }

  private take(token: string): boolean {
    if (this.tokens[this.at] !== token) return false;
    this.at++;
    return true;
  }

  /** Nothing behind a mistake is read. */
  private fail(): void {
    this.at = this.tokens.length + 1;
  }
}

function isVariable(name: string, variables: MaxPodsVariables): name is keyof MaxPodsVariables {
  return Object.hasOwn(variables, name);
}

function combine(operator: string, left: Result, right: Result): Result {
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    if (operator === '&&') return left && right;
    if (operator === '||') return left || right;
    return undefined;
  }
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  const value = calculate(operator, left, right);
  // CEL ends with an error where an int64 overflows; what doubles can't hold exactly is far beyond any number of pods.
  return typeof value === 'number' && !Number.isSafeInteger(value) ? undefined : value;
}

function calculate(operator: string, left: number, right: number): Result {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? undefined : Math.trunc(left / right);
    case '%':
      return right === 0 ? undefined : left % right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    default:
      return undefined;
  }
}
