-- P-values of a comparison, from the normal distribution, which differs from Student's t for few
-- users. Adjusted p-values are corrected in two families: the models and segments of the first
-- metric, which is the primary metric, and of all other metrics.
--
--   p           the two-sided probability of a difference of this size if neither model is better;
--               if the difference is equal for all users, the probability that all have the same
--               sign; null if no user has a difference
--   p_adjusted  `holm` and `bonferroni` limit the probability of any false positive; `bh` limits
--               the share of false positives among significant results
--   low, high   the interval of the difference, at a level at which it excludes 0 if p_adjusted is
--               small; see corrected_levels in sqlrec/statistics/formulas.py
--
-- Source: Holm 1979, jstor.org/stable/4615733; Benjamini & Hochberg 1995,
-- doi.org/10.1111/j.2517-6161.1995.tb02031.x; Benjamini & Yekutieli 2005, doi.org/10.1198/016214504000001907

{% macro with_p_values(compared, columns, keys, options) %}
{% set step = {
    'holm': 'p_count - p_rank + 1', 'bonferroni': 'p_count', 'bh': 'p_count / cast(p_rank as double)', 'none': '1',
}[options.correction] %}
{#- A larger p-value never gets a smaller adjusted p-value. -#}
{% set best, frame = ('min', 'current row and unbounded following') if options.correction == 'bh'
    else ('max', 'unbounded preceding and current row') %}
{% set alpha = sqlrec.double(1 - options.level) %}
{% set order = 'order by p asc, ' ~ keys | join(' asc, ') ~ ' asc' %}
{% set known = 'case when p is null then 0 when request = ' ~ sqlrec.text(options.primary) ~ ' then 1 else 2 end' %}
{#- The probability that a normal variable is at least this far from 0, with a relative error of 1e-8. A tiny
probability is replaced by 0, since some engines cannot compute it. Hart et al. 1968, Computer Approximations, 5666. -#}
{% set above = ['0.0352624965998911', '0.700383064443688', '6.37396220353165', '33.912866078383', '112.079291497871', '221.213596169931', '220.206867912376'] %}
{% set below = ['0.0883883476483184', '1.75566716318264', '16.064177579207', '86.7807322029461', '296.564248779674', '637.333633378831', '793.826512519948', '440.413735824752'] %}
with comparisons as (
{{ compared }}
),
distances as (
    select comparisons.*, abs(difference) / nullif(standard_error, 0) as distance
    from comparisons
),
tested as (
    select
        distances.*,
        case
            when users = ties and abs(difference) <= 1e-12 then null
            when standard_error = 0 and users > 1000 then cast(0 as double)
            when standard_error = 0 then power(cast(2 as double), 1 - users)
            when distance > 37 then cast(0 as double)
            when distance > 7 then 2 * exp(-distance * distance / 2) / cast(2.506628274631 as double)
                / (distance + 1 / (distance + 2 / (distance + 3 / (distance + 4 / (distance + cast(0.65 as double))))))
            else 2 * exp(-distance * distance / 2)
                * {{ sqlrec.polynomial('distance', above) }}
                / {{ sqlrec.polynomial('distance', below) }}
        end as p
    from distances
),
ranked_p_values as (
    select
        tested.*,
        row_number() over (partition by {{ known }} {{ order }}) as p_rank,
        count(*) over (partition by {{ known }}) as p_count
    from tested
),
stepped as (
    select ranked_p_values.*, case when p * ({{ step }}) > 1 then cast(1 as double) else p * ({{ step }}) end as p_step
    from ranked_p_values
),
adjusted as (
    select
        stepped.*,
        {{ best }}(p_step) over (partition by {{ known }} {{ order }} rows between {{ frame }}) as p_adjusted
    from stepped
),
tails as (
    select adjusted.*, {{ alpha }} / 2 / ({{ sqlrec.tests_of_interval(options.correction, alpha, known) }}) as tail
    from adjusted
),
curves as (
    select
        tails.*,
        case when tail > 0.075 then 0.180625 - (0.5 - tail) * (0.5 - tail) else sqrt(-ln(tail)) - 1.6 end as curve
    from tails
),
reaches as (
    select curves.*, {{ sqlrec.normal_quantile() }} * nullif(standard_error, 0) as reach
    from curves
)
select
    {%- for name in columns %}
    {{ {'low': 'difference - reach as ', 'high': 'difference + reach as '}.get(name, '') ~ name }},
    {{- '\n    p,\n    p_adjusted,' if name == 'losses' }}
    {%- endfor %}
    violations
from reaches
{% endmacro %}

-- The number by which the error rate of an interval is divided.
{% macro tests_of_interval(correction, alpha, known) %}
{% if correction == 'none' %}{{ return('1') }}{% endif %}
{% if correction == 'bonferroni' %}{{ return('p_count') }}{% endif %}
{% if correction == 'holm' %}
{{ return('case when p_adjusted < ' ~ alpha ~ ' and p * p_count >= ' ~ alpha ~ ' then p_adjusted / p else p_count end') }}
{% endif %}
{% set small = 'sum(case when p_adjusted < ' ~ alpha ~ ' then 1 else 0 end) over (partition by ' ~ known ~ ')' %}
{{ return('case when ' ~ small ~ ' > 0 then p_count / ' ~ sqlrec.double(small) ~ ' else p_count end') }}
{% endmacro %}

-- The number that a normal variable exceeds with the probability `tail`, above 1e-11 and at most 0.5, to 16 digits.
-- Source: Wichura 1988, doi.org/10.2307/2347330, AS241.
{% macro normal_quantile() %}
case when tail > 0.075 then (0.5 - tail)
            * {{ sqlrec.polynomial('curve', ['2509.0809287301226727', '33430.575583588128105', '67265.770927008700853', '45921.953931549871457', '13731.693765509461125', '1971.5909503065514427', '133.14166789178437745', '3.387132872796366608']) }}
            / {{ sqlrec.polynomial('curve', ['5226.495278852854561', '28729.085735721942674', '39307.89580009271061', '21213.794301586595867', '5394.1960214247511077', '687.1870074920579083', '42.313330701600911252', '1']) }}
        else {{ sqlrec.polynomial('curve', ['0.000774545014278341407640', '0.0227238449892691845833', '0.241780725177450611770', '1.27045825245236838258', '3.64784832476320460504', '5.7694972214606914055', '4.6303378461565452959', '1.42343711074968357734']) }}
            / {{ sqlrec.polynomial('curve', ['0.00000000105075007164441684324', '0.000547593808499534494600', '0.0151986665636164571966', '0.148103976427480074590', '0.689767334985100004550', '1.67638483018380384940', '2.05319162663775882187', '1']) }}
        end
{%- endmacro %}

-- A polynomial of a column, from the coefficient of the largest power down.
{% macro polynomial(x, coefficients) -%}
{%- for _ in coefficients[1:] -%}({%- endfor -%}
{%- for coefficient in coefficients -%}
{{ ' * ' ~ x ~ ' + ' if not loop.first }}{{ sqlrec.double(coefficient) }}{{ ')' if not loop.first }}
{%- endfor -%}
{%- endmacro %}
