export { type Trend, type TrendOptions, trend, trendReport } from "./trend.ts";
