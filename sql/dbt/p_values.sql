-- P values of a comparison, from the normal distribution, which differs from Student's for few
-- users; and p values adjusted for the models and segments of the first metric, which is primary,
-- and of all other metrics.
--
--   p           the probability of a difference of this size if neither model is better, two-sided; if all users
--               differ by the same number, the probability that all have the same sign; null if no user differs
--   p_adjusted  `holm` and `bonferroni` limit the probability of any false alarm, `bh` the share of
--               false alarms among all
--
-- Source: Holm 1979, jstor.org/stable/4615733; Benjamini & Hochberg 1995,
-- doi.org/10.1111/j.2517-6161.1995.tb02031.x

{% macro with_p_values(compared, columns, keys, options) %}
{% set step = {
    'holm': 'p_count - p_rank + 1', 'bonferroni': 'p_count', 'bh': 'p_count / ' ~ sqlrec.double('p_rank'), 'none': '1',
}[options.correction] %}
{#- A larger p value never gets a smaller adjusted value. -#}
{% set best, frame = ('min', 'current row and unbounded following') if options.correction == 'bh'
    else ('max', 'unbounded preceding and current row') %}
{% set order = 'order by p asc, ' ~ keys | join(' asc, ') ~ ' asc' %}
{% set known = 'case when p is null then 0 when asked = ' ~ sqlrec.text(options.primary) ~ ' then 1 else 2 end' %}
{#- The probability that a normal variable is at least this far from 0, with a relative error of 1e-8. Tiny ones are 0, since
    some engines refuse to compute it. Hart et al. 1968, Computer Approximations, 5666. -#}
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
            when users = ties and abs(difference) <= {{ sqlrec.double(1e-12) }} then null
            when standard_error = 0 and users > 1000 then {{ sqlrec.double(0) }}
            when standard_error = 0 then power({{ sqlrec.double(2) }}, 1 - users)
            when distance > 37 then {{ sqlrec.double(0) }}
            when distance > 7 then 2 * exp(-distance * distance / 2) / {{ sqlrec.double('2.506628274631') }}
                / (distance + 1 / (distance + 2 / (distance + 3 / (distance + 4 / (distance + {{ sqlrec.double('0.65') }})))))
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
    select ranked_p_values.*, case when p * ({{ step }}) > 1 then {{ sqlrec.double(1) }} else p * ({{ step }}) end as p_step
    from ranked_p_values
)
select
    {%- for name in columns %}
    {{ name }},
    {%- if name == 'losses' %}
    p,
    {{ best }}(p_step) over (partition by {{ known }} {{ order }} rows between {{ frame }}) as p_adjusted,
    {%- endif %}
    {%- endfor %}
    violations
from stepped
{% endmacro %}

-- A polynomial of a column, whose largest power has the first coefficient.
{% macro polynomial(x, coefficients) -%}
{%- for _ in coefficients[1:] -%}({%- endfor -%}
{%- for coefficient in coefficients -%}
{{ ' * ' ~ x ~ ' + ' if not loop.first }}{{ sqlrec.double(coefficient) }}{{ ')' if not loop.first }}
{%- endfor -%}
{%- endmacro %}
