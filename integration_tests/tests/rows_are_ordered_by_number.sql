-- The row with the smallest number comes first. If rows were ordered by id, als would have 4 / 9.
select model, metric, value, row_order
from {{ ref('by_order_of_rows') }}
where row_order <> 'number' or row_order is null or request = 'ndcg@1' and abs(value - 2.0 / 3) > 1e-6
