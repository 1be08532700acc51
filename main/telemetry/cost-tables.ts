/** The tables of costs that come with the app: resources/cost-tables, checked against their schema. */
import * as v from 'valibot';
import { CostTableFile } from '../../contract/what-if.ts';
import noTime from '../../resources/cost-tables/no-time.json' with { type: 'json' };
import paperNpu from '../../resources/cost-tables/paper-npu.json' with { type: 'json' };
import paperPhone from '../../resources/cost-tables/paper-phone.json' with { type: 'json' };

export const COST_TABLES: readonly CostTableFile[] = v.parse(v.array(CostTableFile), [paperPhone, paperNpu, noTime]);
