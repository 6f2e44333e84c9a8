// Made by "npm run generate" from the blocks and from the table of errors.

export interface Blocks {
  /**
   * Business directory. Licensed businesses of Red Hook and Carroll Gardens, Brooklyn (zip code 11231). Filter by name, category, type, street, phone number, and by ranges of house number and zip code.
   */
  'business-directory': {
    arguments: {
      /**
       * Business name
       */
      business?: string | string[];
      /**
       * Category
       */
      category?: string | string[];
      /**
       * City and state
       */
      city_state?: string | string[];
      /**
       * City
       */
      location_1_city?: string | string[];
      /**
       * Street address. House number and street, such as 442 COURT ST.
       */
      location_1_location?: string | string[];
      /**
       * State
       */
      location_1_state?: string | string[];
      /**
       * Zip code of the address
       */
      location_1_zip?: string | string[];
      /**
       * Phone number. Compared by its digits, however they are written.
       */
      phone_number?: string | string[];
      /**
       * Type of business
       */
      type_of_business?: string | string[];
      /**
       * House number. Where it is all digits; else null.
       */
      parsed_address?: number | number[];
      /**
       * House number, at least. Where it is all digits; else null.
       */
      parsed_address_min?: number;
      /**
       * House number, at most. Where it is all digits; else null.
       */
      parsed_address_max?: number;
      /**
       * Zip code, as a number
       */
      zip_code?: number | number[];
      /**
       * Zip code, as a number, at least
       */
      zip_code_min?: number;
      /**
       * Zip code, as a number, at most
       */
      zip_code_max?: number;
      /**
       * Fields without a value. Finds the rows that have no value in any of these fields.
       */
      _empty?: (
        | 'business'
        | 'category'
        | 'city_state'
        | 'location_1_city'
        | 'location_1_location'
        | 'location_1_state'
        | 'location_1_zip'
        | 'phone_number'
        | 'type_of_business'
        | 'parsed_address'
        | 'zip_code'
      )[];
      /**
       * Fields with a value. Finds the rows that have a value in all of these fields.
       */
      _filled?: (
        | 'business'
        | 'category'
        | 'city_state'
        | 'location_1_city'
        | 'location_1_location'
        | 'location_1_state'
        | 'location_1_zip'
        | 'phone_number'
        | 'type_of_business'
        | 'parsed_address'
        | 'zip_code'
      )[];
      /**
       * Words to look for. Each must begin a word in some of the row's texts, in any order.
       */
      _q?: string;
      /**
       * Near a place. longitude,latitude in degrees. Nearest first, with _distance in metres.
       */
      _near?: string;
      /**
       * Distance from the place. At most this from _near: 500m, 1.5km, 2mi or 300ft.
       */
      _within?: string;
      /**
       * Box on the map. west,south,east,north in degrees.
       */
      _bbox?: string;
      /**
       * Maximum rows per page
       */
      _limit?: number;
      /**
       * Cursor of the page to return. The previous page's next; the other arguments must stay the same.
       */
      _cursor?: string;
      /**
       * Order of the rows. A field, or -field for descending order; a second one orders what ties in the first: -a,b. By default, the dataset's own order.
       */
      _sort?:
        | (
            | 'business'
            | '-business'
            | 'category'
            | '-category'
            | 'city_state'
            | '-city_state'
            | 'location_1_city'
            | '-location_1_city'
            | 'location_1_location'
            | '-location_1_location'
            | 'location_1_state'
            | '-location_1_state'
            | 'location_1_zip'
            | '-location_1_zip'
            | 'phone_number'
            | '-phone_number'
            | 'type_of_business'
            | '-type_of_business'
            | 'parsed_address'
            | '-parsed_address'
            | 'zip_code'
            | '-zip_code'
            | 'latitude'
            | '-latitude'
            | 'longitude'
            | '-longitude'
            | (string & {})
          )
        | string[];
      /**
       * Fields to return. A list, or one text with commas. By default, all fields.
       */
      _fields?: (
        | 'business'
        | 'category'
        | 'city_state'
        | 'location_1_city'
        | 'location_1_location'
        | 'location_1_state'
        | 'location_1_zip'
        | 'phone_number'
        | 'type_of_business'
        | 'parsed_address'
        | 'zip_code'
        | 'latitude'
        | 'longitude'
        | (string & {})
      )[];
      /**
       * Fields to group rows by. The answer's rows are groups, with _measure or else their count. A list, or one text with commas: at most 3 fields. Dates by part: field.year, .quarter, .month, .week, .day, .month_of_year, .week_of_year, .weekday (1 is Monday), .weekend (weekday or weekend) or .hour. Numbers by width: field.10. Places by cells of a map: place.2km.
       */
      _group?: string[];
      /**
       * What to compute of each group. count, or one of count, distinct, sum, avg, min, max and median with a field: sum:field. Percentiles are p10:field to p99:field, shares share:count or share:sum:field. A list, or one text with commas: at most 8. Without _group, of all rows that match.
       */
      _measure?: string[];
      /**
       * Two numbers to compare. Two number fields: _xy=x,y. The answer's rows are points, each with what names its row; if more than 1,000 rows have both numbers, they are at most 1,500 squares, each with its ends and its count. params.xy says which.
       */
      _xy?: ('parsed_address' | 'zip_code' | 'latitude' | 'longitude')[];
      /**
       * Scales of the axes. With _xy: linear or log, one for both or one each: log,linear. By default, an axis is log if its numbers are above 0 and the greatest is 1,000 times the least.
       */
      _scale?: ('linear' | 'log')[];
      /**
       * Medians along x. With _xy: adds params.xy.medians, the median of y in each step of x that has at least 20 rows.
       */
      _medians?: boolean;
      /**
       * Fields whose values to count. Adds params.facets: for each of at most 8 fields, written as for _group, the commonest values with their rows under all filters but its own.
       */
      _facets?: string[];
      /**
       * Exact texts. CSV alone: no apostrophe is put before a text that begins like a formula.
       */
      _raw?: boolean;
      /**
       * Byte order mark. CSV alone: it begins with a byte order mark, without which Excel misreads letters beyond ASCII.
       */
      _bom?: boolean;
      /**
       * View of the page. What the page shows of the answer, and which figure SVG has; other formats do not use it.
       */
      _view?: 'figures' | 'chart' | 'map' | 'table' | 'columns' | 'api';
      /**
       * How the figure is drawn. What the figure of the page and of SVG is made of; other formats do not use it.
       */
      _mark?:
        | 'season'
        | 'band'
        | 'line'
        | 'plots'
        | 'dots'
        | 'cells'
        | 'histogram'
        | 'grouped'
        | 'heat'
        | 'bars'
        | 'parts'
        | 'areas'
        | 'circles'
        | 'squares';
      /**
       * Part of the map. west,south,east,north in degrees: what the map of the page and of SVG shows. It leaves out no rows, and other formats do not use it.
       */
      _frame?: string;
      /**
       * Axis of the figure's numbers. What the axis of the figure of the page and of SVG is: from zero, near its numbers, logarithmic (log), the first period that all lines have as 100 (index), or shares of all. Other formats do not use it.
       */
      _axis?: 'zero' | 'near' | 'log' | 'index' | 'share';
      /**
       * Filtered values as one. A line over time is of all rows together, although a filter names a few values of a field: the page else draws a line of each. Other formats do not use it.
       */
      _as_one?: boolean;
      /**
       * The view alone. The page has its figure or table alone, for a frame in another page; other formats do not use it.
       */
      _embed?: boolean;
      /**
       * Language of the page. The language of the own words and numbers of the page and of SVG; other formats do not use it.
       */
      _lang?: 'en' | 'de' | 'es';
      /**
       * Handling of unknown names. strict refuses unknown names in a body; lenient ignores and lists them.
       */
      _handling?: 'strict' | 'lenient';
      /**
       * Explain. Adds the access path, what was read, and what that costs on AWS.
       */
      _explain?: boolean;
      /**
       * Filters on groups. Filters by the columns of the groups, such as count_min or avg_price_max. In a query _having.count_min. The total is of the groups that pass.
       */
      _having?: {
        [k: string]: unknown;
      };
      /**
       * Rows to leave out. Filters by field. A row that matches any of them is left out.
       */
      _not?: {
        /**
         * Business name, not
         */
        business?: string | string[];
        /**
         * Category, not
         */
        category?: string | string[];
        /**
         * City and state, not
         */
        city_state?: string | string[];
        /**
         * City, not
         */
        location_1_city?: string | string[];
        /**
         * Street address, not. House number and street, such as 442 COURT ST.
         */
        location_1_location?: string | string[];
        /**
         * State, not
         */
        location_1_state?: string | string[];
        /**
         * Zip code of the address, not
         */
        location_1_zip?: string | string[];
        /**
         * Phone number, not. Compared by its digits, however they are written.
         */
        phone_number?: string | string[];
        /**
         * Type of business, not
         */
        type_of_business?: string | string[];
        /**
         * House number, not. Where it is all digits; else null.
         */
        parsed_address?: number | number[];
        /**
         * Zip code, as a number, not
         */
        zip_code?: number | number[];
      };
      /**
       * Alternatives. Filters of which a row must match at least one: in JSON a list of at most 4 objects, in a query _or.1.field, _or.2.field.
       */
      _or?: {
        [k: string]: unknown;
      }[];
    };
    params: {
      results: {
        /**
         * Business name
         */
        business: string | null;
        /**
         * Category
         */
        category: string | null;
        /**
         * City and state
         */
        city_state: string | null;
        /**
         * City
         */
        location_1_city: string | null;
        /**
         * Street address. House number and street, such as 442 COURT ST.
         */
        location_1_location: string | null;
        /**
         * State
         */
        location_1_state: string | null;
        /**
         * Zip code of the address
         */
        location_1_zip: string | null;
        /**
         * Phone number. Compared by its digits, however they are written.
         */
        phone_number: string | null;
        /**
         * Type of business
         */
        type_of_business: string | null;
        /**
         * House number. Where it is all digits; else null.
         */
        parsed_address: number | null;
        /**
         * Zip code, as a number
         */
        zip_code: number | null;
        /**
         * Latitude
         */
        latitude: number | null;
        /**
         * Longitude
         */
        longitude: number | null;
        /**
         * Distance. From the place in _near, rounded to 0.1 m.
         */
        _distance?: number | null;
      }[];
      /**
       * The number of rows in this page.
       */
      count: number;
      /**
       * The number of rows that match, in all pages.
       */
      total: number;
      /**
       * The next page's _cursor; null in the last page.
       */
      next: string | null;
      /**
       * The rows' addresses relative to the block's, with Prefer: row-addresses.
       */
      addresses?: string[];
      /**
       * Present if no row matches the filters: a member for each of them.
       */
      help?: {
        /**
         * The parameters that state the filter.
         */
        parameters: string[];
        /**
         * The number of rows that it matches by itself; null if not counted.
         */
        alone: number | null;
        /**
         * The number of rows that match all other filters; null if not counted.
         */
        without: number | null;
        /**
         * Whether it makes the answer empty; null if not known.
         */
        empties: boolean | null;
        /**
         * The number of rows that match if its text has * on both sides; null if not counted.
         */
        containing: number | null;
        /**
         * Values in the dataset that its text may have meant.
         */
        nearest: string[];
        /**
         * Other fields that have its text; absent if none was found.
         */
        elsewhere?: {
          /**
           * The parameter that finds it.
           */
          parameter: string;
          /**
           * The number of rows that it finds by itself.
           */
          rows: number;
        }[];
      }[];
      /**
       * Present if _facets asks for it: a member for each of its fields.
       */
      facets?: {
        [k: string]: {
          /**
           * The commonest values, each with the number of rows that have it.
           *
           * @maxItems 30
           */
          values: {
            value: string | number | boolean;
            count: number;
          }[];
          /**
           * The number of rows that have other values.
           */
          others: number;
          /**
           * The number of rows without a value.
           */
          empty: number;
        };
      };
      /**
       * Present if _xy asks for it: whether results are rows or squares, and how far their numbers reach.
       */
      xy?: {
        of: 'rows' | 'squares';
        x: {
          field: string;
          scale: 'linear' | 'log';
          min: number | null;
          max: number | null;
        };
        y: {
          field: string;
          scale: 'linear' | 'log';
          min: number | null;
          max: number | null;
        };
        /**
         * The number of rows in all points or squares.
         */
        rows: number;
        /**
         * The number of rows that lack one number or both.
         */
        without: number;
        /**
         * The number of rows with a 0, which a logarithmic axis leaves out.
         */
        zeros?: number;
        /**
         * With _medians: the median of y in steps of x.
         */
        medians?: {
          from: number;
          to: number;
          count: number;
          median: number;
        }[];
      };
      /**
       * Present if lists have values that no row has, whatever the other filters: a member for each such list, by its parameter. The first page has it.
       */
      notFound?: {
        /**
         * @minItems 1
         * @maxItems 10000
         */
        [k: string]: [string | number | boolean, ...(string | number | boolean)[]];
      };
    };
  };
  /**
   * Census neighborhoods. Neighborhoods of Baltimore by their 2010 census figures: people, ages, households, families, housing, land. Filter by name and by 39 ranges.
   */
  'census-neighborhoods': {
    arguments: {
      /**
       * Neighborhood
       */
      neighborhood_1?: string | string[];
      /**
       * Under 5 years
       */
      under_5?: number | number[];
      /**
       * Under 5 years, at least
       */
      under_5_min?: number;
      /**
       * Under 5 years, at most
       */
      under_5_max?: number;
      /**
       * 5 to 17 years
       */
      _5_to_17?: number | number[];
      /**
       * 5 to 17 years, at least
       */
      _5_to_17_min?: number;
      /**
       * 5 to 17 years, at most
       */
      _5_to_17_max?: number;
      /**
       * 18 to 24 years
       */
      _18_24?: number | number[];
      /**
       * 18 to 24 years, at least
       */
      _18_24_min?: number;
      /**
       * 18 to 24 years, at most
       */
      _18_24_max?: number;
      /**
       * 25 to 34 years
       */
      _25_34?: number | number[];
      /**
       * 25 to 34 years, at least
       */
      _25_34_min?: number;
      /**
       * 25 to 34 years, at most
       */
      _25_34_max?: number;
      /**
       * 35 to 44 years
       */
      _35_44?: number | number[];
      /**
       * 35 to 44 years, at least
       */
      _35_44_min?: number;
      /**
       * 35 to 44 years, at most
       */
      _35_44_max?: number;
      /**
       * 45 to 54 years
       */
      _45_54?: number | number[];
      /**
       * 45 to 54 years, at least
       */
      _45_54_min?: number;
      /**
       * 45 to 54 years, at most
       */
      _45_54_max?: number;
      /**
       * 55 to 64 years
       */
      _55_64?: number | number[];
      /**
       * 55 to 64 years, at least
       */
      _55_64_min?: number;
      /**
       * 55 to 64 years, at most
       */
      _55_64_max?: number;
      /**
       * 65 years and over
       */
      _65?: number | number[];
      /**
       * 65 years and over, at least
       */
      _65_min?: number;
      /**
       * 65 years and over, at most
       */
      _65_max?: number;
      /**
       * Population
       */
      total_population?: number | number[];
      /**
       * Population, at least
       */
      total_population_min?: number;
      /**
       * Population, at most
       */
      total_population_max?: number;
      /**
       * White population
       */
      white_population?: number | number[];
      /**
       * White population, at least
       */
      white_population_min?: number;
      /**
       * White population, at most
       */
      white_population_max?: number;
      /**
       * Black population
       */
      black_population?: number | number[];
      /**
       * Black population, at least
       */
      black_population_min?: number;
      /**
       * Black population, at most
       */
      black_population_max?: number;
      /**
       * Asian population
       */
      asian_population?: number | number[];
      /**
       * Asian population, at least
       */
      asian_population_min?: number;
      /**
       * Asian population, at most
       */
      asian_population_max?: number;
      /**
       * Population of other or several races
       */
      other_population?: number | number[];
      /**
       * Population of other or several races, at least
       */
      other_population_min?: number;
      /**
       * Population of other or several races, at most
       */
      other_population_max?: number;
      /**
       * Hispanic population. Of any race.
       */
      hispanic_population?: number | number[];
      /**
       * Hispanic population, at least. Of any race.
       */
      hispanic_population_min?: number;
      /**
       * Hispanic population, at most. Of any race.
       */
      hispanic_population_max?: number;
      /**
       * Population in group quarters
       */
      gq_pop?: number | number[];
      /**
       * Population in group quarters, at least
       */
      gq_pop_min?: number;
      /**
       * Population in group quarters, at most
       */
      gq_pop_max?: number;
      /**
       * Persons in dormitories. Not in the source: null in every row.
       */
      persons_in_dorms?: number | number[];
      /**
       * Persons in dormitories, at least. Not in the source: null in every row.
       */
      persons_in_dorms_min?: number;
      /**
       * Persons in dormitories, at most. Not in the source: null in every row.
       */
      persons_in_dorms_max?: number;
      /**
       * Households
       */
      households?: number | number[];
      /**
       * Households, at least
       */
      households_min?: number;
      /**
       * Households, at most
       */
      households_max?: number;
      /**
       * Persons per household
       */
      persons_per_hh?: number | number[];
      /**
       * Persons per household, at least
       */
      persons_per_hh_min?: number;
      /**
       * Persons per household, at most
       */
      persons_per_hh_max?: number;
      /**
       * Single-person households
       */
      single_person_hh?: number | number[];
      /**
       * Single-person households, at least
       */
      single_person_hh_min?: number;
      /**
       * Single-person households, at most
       */
      single_person_hh_max?: number;
      /**
       * Nonfamily households
       */
      nonfamily_hhs?: number | number[];
      /**
       * Nonfamily households, at least
       */
      nonfamily_hhs_min?: number;
      /**
       * Nonfamily households, at most
       */
      nonfamily_hhs_max?: number;
      /**
       * Nonfamily households of several persons
       */
      roommates?: number | number[];
      /**
       * Nonfamily households of several persons, at least
       */
      roommates_min?: number;
      /**
       * Nonfamily households of several persons, at most
       */
      roommates_max?: number;
      /**
       * Families without own children
       */
      families_w_o_kids?: number | number[];
      /**
       * Families without own children, at least
       */
      families_w_o_kids_min?: number;
      /**
       * Families without own children, at most
       */
      families_w_o_kids_max?: number;
      /**
       * Families with own children
       */
      families_w_related_kids?: number | number[];
      /**
       * Families with own children, at least
       */
      families_w_related_kids_min?: number;
      /**
       * Families with own children, at most
       */
      families_w_related_kids_max?: number;
      /**
       * Married couples without own children
       */
      married_w_o_kids?: number | number[];
      /**
       * Married couples without own children, at least
       */
      married_w_o_kids_min?: number;
      /**
       * Married couples without own children, at most
       */
      married_w_o_kids_max?: number;
      /**
       * Married couples with own children
       */
      married_w_related_kids?: number | number[];
      /**
       * Married couples with own children, at least
       */
      married_w_related_kids_min?: number;
      /**
       * Married couples with own children, at most
       */
      married_w_related_kids_max?: number;
      /**
       * Women without husband, with own children
       */
      s_women_w_related_kids?: number | number[];
      /**
       * Women without husband, with own children, at least
       */
      s_women_w_related_kids_min?: number;
      /**
       * Women without husband, with own children, at most
       */
      s_women_w_related_kids_max?: number;
      /**
       * Men without wife, without own children
       */
      unmarried_men_w_o_kids?: number | number[];
      /**
       * Men without wife, without own children, at least
       */
      unmarried_men_w_o_kids_min?: number;
      /**
       * Men without wife, without own children, at most
       */
      unmarried_men_w_o_kids_max?: number;
      /**
       * Women without husband, without own children
       */
      unmarried_women_w_o_kids?: number | number[];
      /**
       * Women without husband, without own children, at least
       */
      unmarried_women_w_o_kids_min?: number;
      /**
       * Women without husband, without own children, at most
       */
      unmarried_women_w_o_kids_max?: number;
      /**
       * Housing units
       */
      total_units?: number | number[];
      /**
       * Housing units, at least
       */
      total_units_min?: number;
      /**
       * Housing units, at most
       */
      total_units_max?: number;
      /**
       * Owner-occupied units
       */
      owner_occupied_units?: number | number[];
      /**
       * Owner-occupied units, at least
       */
      owner_occupied_units_min?: number;
      /**
       * Owner-occupied units, at most
       */
      owner_occupied_units_max?: number;
      /**
       * Renter-occupied units
       */
      renter_occupied_units?: number | number[];
      /**
       * Renter-occupied units, at least
       */
      renter_occupied_units_min?: number;
      /**
       * Renter-occupied units, at most
       */
      renter_occupied_units_max?: number;
      /**
       * Vacant units
       */
      vacant_units?: number | number[];
      /**
       * Vacant units, at least
       */
      vacant_units_min?: number;
      /**
       * Vacant units, at most
       */
      vacant_units_max?: number;
      /**
       * Housing units per acre
       */
      unit_density?: number | number[];
      /**
       * Housing units per acre, at least
       */
      unit_density_min?: number;
      /**
       * Housing units per acre, at most
       */
      unit_density_max?: number;
      /**
       * Longitude of the centre
       */
      centerpoint_x?: number | number[];
      /**
       * Longitude of the centre, at least
       */
      centerpoint_x_min?: number;
      /**
       * Longitude of the centre, at most
       */
      centerpoint_x_max?: number;
      /**
       * Latitude of the centre
       */
      centerpoint_y?: number | number[];
      /**
       * Latitude of the centre, at least
       */
      centerpoint_y_min?: number;
      /**
       * Latitude of the centre, at most
       */
      centerpoint_y_max?: number;
      /**
       * Land area in acres
       */
      land_area_in_acres?: number | number[];
      /**
       * Land area in acres, at least
       */
      land_area_in_acres_min?: number;
      /**
       * Land area in acres, at most
       */
      land_area_in_acres_max?: number;
      /**
       * Land area in square miles
       */
      land_area_in_square_miles?: number | number[];
      /**
       * Land area in square miles, at least
       */
      land_area_in_square_miles_min?: number;
      /**
       * Land area in square miles, at most
       */
      land_area_in_square_miles_max?: number;
      /**
       * Persons per acre
       */
      persons_per_acre?: number | number[];
      /**
       * Persons per acre, at least
       */
      persons_per_acre_min?: number;
      /**
       * Persons per acre, at most
       */
      persons_per_acre_max?: number;
      /**
       * Neighborhood number
       */
      neighborhood_2?: number | number[];
      /**
       * Neighborhood number, at least
       */
      neighborhood_2_min?: number;
      /**
       * Neighborhood number, at most
       */
      neighborhood_2_max?: number;
      /**
       * Fields without a value. Finds the rows that have no value in any of these fields.
       */
      _empty?: (
        | 'neighborhood_1'
        | 'under_5'
        | '_5_to_17'
        | '_18_24'
        | '_25_34'
        | '_35_44'
        | '_45_54'
        | '_55_64'
        | '_65'
        | 'total_population'
        | 'white_population'
        | 'black_population'
        | 'asian_population'
        | 'other_population'
        | 'hispanic_population'
        | 'gq_pop'
        | 'persons_in_dorms'
        | 'households'
        | 'persons_per_hh'
        | 'single_person_hh'
        | 'nonfamily_hhs'
        | 'roommates'
        | 'families_w_o_kids'
        | 'families_w_related_kids'
        | 'married_w_o_kids'
        | 'married_w_related_kids'
        | 's_women_w_related_kids'
        | 'unmarried_men_w_o_kids'
        | 'unmarried_women_w_o_kids'
        | 'total_units'
        | 'owner_occupied_units'
        | 'renter_occupied_units'
        | 'vacant_units'
        | 'unit_density'
        | 'centerpoint_x'
        | 'centerpoint_y'
        | 'land_area_in_acres'
        | 'land_area_in_square_miles'
        | 'persons_per_acre'
        | 'neighborhood_2'
      )[];
      /**
       * Fields with a value. Finds the rows that have a value in all of these fields.
       */
      _filled?: (
        | 'neighborhood_1'
        | 'under_5'
        | '_5_to_17'
        | '_18_24'
        | '_25_34'
        | '_35_44'
        | '_45_54'
        | '_55_64'
        | '_65'
        | 'total_population'
        | 'white_population'
        | 'black_population'
        | 'asian_population'
        | 'other_population'
        | 'hispanic_population'
        | 'gq_pop'
        | 'persons_in_dorms'
        | 'households'
        | 'persons_per_hh'
        | 'single_person_hh'
        | 'nonfamily_hhs'
        | 'roommates'
        | 'families_w_o_kids'
        | 'families_w_related_kids'
        | 'married_w_o_kids'
        | 'married_w_related_kids'
        | 's_women_w_related_kids'
        | 'unmarried_men_w_o_kids'
        | 'unmarried_women_w_o_kids'
        | 'total_units'
        | 'owner_occupied_units'
        | 'renter_occupied_units'
        | 'vacant_units'
        | 'unit_density'
        | 'centerpoint_x'
        | 'centerpoint_y'
        | 'land_area_in_acres'
        | 'land_area_in_square_miles'
        | 'persons_per_acre'
        | 'neighborhood_2'
      )[];
      /**
       * Words to look for. Each must begin a word in some of the row's texts, in any order.
       */
      _q?: string;
      /**
       * Near a place. longitude,latitude in degrees. Nearest first, with _distance in metres.
       */
      _near?: string;
      /**
       * Distance from the place. At most this from _near: 500m, 1.5km, 2mi or 300ft.
       */
      _within?: string;
      /**
       * Box on the map. west,south,east,north in degrees.
       */
      _bbox?: string;
      /**
       * Maximum rows per page
       */
      _limit?: number;
      /**
       * Cursor of the page to return. The previous page's next; the other arguments must stay the same.
       */
      _cursor?: string;
      /**
       * Order of the rows. A field, or -field for descending order; a second one orders what ties in the first: -a,b. By default, the dataset's own order.
       */
      _sort?:
        | (
            | 'neighborhood_1'
            | '-neighborhood_1'
            | 'under_5'
            | '-under_5'
            | '_5_to_17'
            | '-_5_to_17'
            | '_18_24'
            | '-_18_24'
            | '_25_34'
            | '-_25_34'
            | '_35_44'
            | '-_35_44'
            | '_45_54'
            | '-_45_54'
            | '_55_64'
            | '-_55_64'
            | '_65'
            | '-_65'
            | 'total_population'
            | '-total_population'
            | 'white_population'
            | '-white_population'
            | 'black_population'
            | '-black_population'
            | 'asian_population'
            | '-asian_population'
            | 'other_population'
            | '-other_population'
            | 'hispanic_population'
            | '-hispanic_population'
            | 'gq_pop'
            | '-gq_pop'
            | 'persons_in_dorms'
            | '-persons_in_dorms'
            | 'households'
            | '-households'
            | 'persons_per_hh'
            | '-persons_per_hh'
            | 'single_person_hh'
            | '-single_person_hh'
            | 'nonfamily_hhs'
            | '-nonfamily_hhs'
            | 'roommates'
            | '-roommates'
            | 'families_w_o_kids'
            | '-families_w_o_kids'
            | 'families_w_related_kids'
            | '-families_w_related_kids'
            | 'married_w_o_kids'
            | '-married_w_o_kids'
            | 'married_w_related_kids'
            | '-married_w_related_kids'
            | 's_women_w_related_kids'
            | '-s_women_w_related_kids'
            | 'unmarried_men_w_o_kids'
            | '-unmarried_men_w_o_kids'
            | 'unmarried_women_w_o_kids'
            | '-unmarried_women_w_o_kids'
            | 'total_units'
            | '-total_units'
            | 'owner_occupied_units'
            | '-owner_occupied_units'
            | 'renter_occupied_units'
            | '-renter_occupied_units'
            | 'vacant_units'
            | '-vacant_units'
            | 'unit_density'
            | '-unit_density'
            | 'centerpoint_x'
            | '-centerpoint_x'
            | 'centerpoint_y'
            | '-centerpoint_y'
            | 'land_area_in_acres'
            | '-land_area_in_acres'
            | 'land_area_in_square_miles'
            | '-land_area_in_square_miles'
            | 'persons_per_acre'
            | '-persons_per_acre'
            | 'neighborhood_2'
            | '-neighborhood_2'
            | (string & {})
          )
        | string[];
      /**
       * Fields to return. A list, or one text with commas. By default, all fields.
       */
      _fields?: (
        | 'neighborhood_1'
        | 'under_5'
        | '_5_to_17'
        | '_18_24'
        | '_25_34'
        | '_35_44'
        | '_45_54'
        | '_55_64'
        | '_65'
        | 'total_population'
        | 'white_population'
        | 'black_population'
        | 'asian_population'
        | 'other_population'
        | 'hispanic_population'
        | 'gq_pop'
        | 'persons_in_dorms'
        | 'households'
        | 'persons_per_hh'
        | 'single_person_hh'
        | 'nonfamily_hhs'
        | 'roommates'
        | 'families_w_o_kids'
        | 'families_w_related_kids'
        | 'married_w_o_kids'
        | 'married_w_related_kids'
        | 's_women_w_related_kids'
        | 'unmarried_men_w_o_kids'
        | 'unmarried_women_w_o_kids'
        | 'total_units'
        | 'owner_occupied_units'
        | 'renter_occupied_units'
        | 'vacant_units'
        | 'unit_density'
        | 'centerpoint_x'
        | 'centerpoint_y'
        | 'land_area_in_acres'
        | 'land_area_in_square_miles'
        | 'persons_per_acre'
        | 'neighborhood_2'
        | (string & {})
      )[];
      /**
       * Fields to group rows by. The answer's rows are groups, with _measure or else their count. A list, or one text with commas: at most 3 fields. Dates by part: field.year, .quarter, .month, .week, .day, .month_of_year, .week_of_year, .weekday (1 is Monday), .weekend (weekday or weekend) or .hour. Numbers by width: field.10. Places by cells of a map: place.2km.
       */
      _group?: string[];
      /**
       * What to compute of each group. count, or one of count, distinct, sum, avg, min, max and median with a field: sum:field. Percentiles are p10:field to p99:field, shares share:count or share:sum:field. A list, or one text with commas: at most 8. Without _group, of all rows that match.
       */
      _measure?: string[];
      /**
       * Two numbers to compare. Two number fields: _xy=x,y. The answer's rows are points, each with what names its row; if more than 1,000 rows have both numbers, they are at most 1,500 squares, each with its ends and its count. params.xy says which.
       */
      _xy?: (
        | 'under_5'
        | '_5_to_17'
        | '_18_24'
        | '_25_34'
        | '_35_44'
        | '_45_54'
        | '_55_64'
        | '_65'
        | 'total_population'
        | 'white_population'
        | 'black_population'
        | 'asian_population'
        | 'other_population'
        | 'hispanic_population'
        | 'gq_pop'
        | 'persons_in_dorms'
        | 'households'
        | 'persons_per_hh'
        | 'single_person_hh'
        | 'nonfamily_hhs'
        | 'roommates'
        | 'families_w_o_kids'
        | 'families_w_related_kids'
        | 'married_w_o_kids'
        | 'married_w_related_kids'
        | 's_women_w_related_kids'
        | 'unmarried_men_w_o_kids'
        | 'unmarried_women_w_o_kids'
        | 'total_units'
        | 'owner_occupied_units'
        | 'renter_occupied_units'
        | 'vacant_units'
        | 'unit_density'
        | 'centerpoint_x'
        | 'centerpoint_y'
        | 'land_area_in_acres'
        | 'land_area_in_square_miles'
        | 'persons_per_acre'
        | 'neighborhood_2'
      )[];
      /**
       * Scales of the axes. With _xy: linear or log, one for both or one each: log,linear. By default, an axis is log if its numbers are above 0 and the greatest is 1,000 times the least.
       */
      _scale?: ('linear' | 'log')[];
      /**
       * Medians along x. With _xy: adds params.xy.medians, the median of y in each step of x that has at least 20 rows.
       */
      _medians?: boolean;
      /**
       * Fields whose values to count. Adds params.facets: for each of at most 8 fields, written as for _group, the commonest values with their rows under all filters but its own.
       */
      _facets?: string[];
      /**
       * Exact texts. CSV alone: no apostrophe is put before a text that begins like a formula.
       */
      _raw?: boolean;
      /**
       * Byte order mark. CSV alone: it begins with a byte order mark, without which Excel misreads letters beyond ASCII.
       */
      _bom?: boolean;
      /**
       * GeoJSON geometry. polygon: each row's region; point: its centre.
       */
      _geometry?: 'polygon' | 'point';
      /**
       * Field that the map shows. The field that colours the map of the page and of SVG; other formats do not use it.
       */
      _shade?:
        | 'under_5'
        | '_5_to_17'
        | '_18_24'
        | '_25_34'
        | '_35_44'
        | '_45_54'
        | '_55_64'
        | '_65'
        | 'total_population'
        | 'white_population'
        | 'black_population'
        | 'asian_population'
        | 'other_population'
        | 'hispanic_population'
        | 'gq_pop'
        | 'persons_in_dorms'
        | 'households'
        | 'persons_per_hh'
        | 'single_person_hh'
        | 'nonfamily_hhs'
        | 'roommates'
        | 'families_w_o_kids'
        | 'families_w_related_kids'
        | 'married_w_o_kids'
        | 'married_w_related_kids'
        | 's_women_w_related_kids'
        | 'unmarried_men_w_o_kids'
        | 'unmarried_women_w_o_kids'
        | 'total_units'
        | 'owner_occupied_units'
        | 'renter_occupied_units'
        | 'vacant_units'
        | 'unit_density'
        | 'centerpoint_x'
        | 'centerpoint_y'
        | 'land_area_in_acres'
        | 'land_area_in_square_miles'
        | 'persons_per_acre'
        | 'neighborhood_2';
      /**
       * View of the page. What the page shows of the answer, and which figure SVG has; other formats do not use it.
       */
      _view?: 'figures' | 'chart' | 'map' | 'table' | 'columns' | 'api';
      /**
       * How the figure is drawn. What the figure of the page and of SVG is made of; other formats do not use it.
       */
      _mark?:
        | 'season'
        | 'band'
        | 'line'
        | 'plots'
        | 'cells'
        | 'histogram'
        | 'grouped'
        | 'heat'
        | 'bars'
        | 'regions'
        | 'parts'
        | 'areas'
        | 'circles'
        | 'squares';
      /**
       * Part of the map. west,south,east,north in degrees: what the map of the page and of SVG shows. It leaves out no rows, and other formats do not use it.
       */
      _frame?: string;
      /**
       * Axis of the figure's numbers. What the axis of the figure of the page and of SVG is: from zero, near its numbers, logarithmic (log), the first period that all lines have as 100 (index), or shares of all. Other formats do not use it.
       */
      _axis?: 'zero' | 'near' | 'log' | 'index' | 'share';
      /**
       * Filtered values as one. A line over time is of all rows together, although a filter names a few values of a field: the page else draws a line of each. Other formats do not use it.
       */
      _as_one?: boolean;
      /**
       * The view alone. The page has its figure or table alone, for a frame in another page; other formats do not use it.
       */
      _embed?: boolean;
      /**
       * Language of the page. The language of the own words and numbers of the page and of SVG; other formats do not use it.
       */
      _lang?: 'en' | 'de' | 'es';
      /**
       * Handling of unknown names. strict refuses unknown names in a body; lenient ignores and lists them.
       */
      _handling?: 'strict' | 'lenient';
      /**
       * Explain. Adds the access path, what was read, and what that costs on AWS.
       */
      _explain?: boolean;
      /**
       * Filters on groups. Filters by the columns of the groups, such as count_min or avg_price_max. In a query _having.count_min. The total is of the groups that pass.
       */
      _having?: {
        [k: string]: unknown;
      };
      /**
       * Rows to leave out. Filters by field. A row that matches any of them is left out.
       */
      _not?: {
        /**
         * Neighborhood, not
         */
        neighborhood_1?: string | string[];
        /**
         * Under 5 years, not
         */
        under_5?: number | number[];
        /**
         * 5 to 17 years, not
         */
        _5_to_17?: number | number[];
        /**
         * 18 to 24 years, not
         */
        _18_24?: number | number[];
        /**
         * 25 to 34 years, not
         */
        _25_34?: number | number[];
        /**
         * 35 to 44 years, not
         */
        _35_44?: number | number[];
        /**
         * 45 to 54 years, not
         */
        _45_54?: number | number[];
        /**
         * 55 to 64 years, not
         */
        _55_64?: number | number[];
        /**
         * 65 years and over, not
         */
        _65?: number | number[];
        /**
         * Population, not
         */
        total_population?: number | number[];
        /**
         * White population, not
         */
        white_population?: number | number[];
        /**
         * Black population, not
         */
        black_population?: number | number[];
        /**
         * Asian population, not
         */
        asian_population?: number | number[];
        /**
         * Population of other or several races, not
         */
        other_population?: number | number[];
        /**
         * Hispanic population, not. Of any race.
         */
        hispanic_population?: number | number[];
        /**
         * Population in group quarters, not
         */
        gq_pop?: number | number[];
        /**
         * Persons in dormitories, not. Not in the source: null in every row.
         */
        persons_in_dorms?: number | number[];
        /**
         * Households, not
         */
        households?: number | number[];
        /**
         * Persons per household, not
         */
        persons_per_hh?: number | number[];
        /**
         * Single-person households, not
         */
        single_person_hh?: number | number[];
        /**
         * Nonfamily households, not
         */
        nonfamily_hhs?: number | number[];
        /**
         * Nonfamily households of several persons, not
         */
        roommates?: number | number[];
        /**
         * Families without own children, not
         */
        families_w_o_kids?: number | number[];
        /**
         * Families with own children, not
         */
        families_w_related_kids?: number | number[];
        /**
         * Married couples without own children, not
         */
        married_w_o_kids?: number | number[];
        /**
         * Married couples with own children, not
         */
        married_w_related_kids?: number | number[];
        /**
         * Women without husband, with own children, not
         */
        s_women_w_related_kids?: number | number[];
        /**
         * Men without wife, without own children, not
         */
        unmarried_men_w_o_kids?: number | number[];
        /**
         * Women without husband, without own children, not
         */
        unmarried_women_w_o_kids?: number | number[];
        /**
         * Housing units, not
         */
        total_units?: number | number[];
        /**
         * Owner-occupied units, not
         */
        owner_occupied_units?: number | number[];
        /**
         * Renter-occupied units, not
         */
        renter_occupied_units?: number | number[];
        /**
         * Vacant units, not
         */
        vacant_units?: number | number[];
        /**
         * Housing units per acre, not
         */
        unit_density?: number | number[];
        /**
         * Longitude of the centre, not
         */
        centerpoint_x?: number | number[];
        /**
         * Latitude of the centre, not
         */
        centerpoint_y?: number | number[];
        /**
         * Land area in acres, not
         */
        land_area_in_acres?: number | number[];
        /**
         * Land area in square miles, not
         */
        land_area_in_square_miles?: number | number[];
        /**
         * Persons per acre, not
         */
        persons_per_acre?: number | number[];
        /**
         * Neighborhood number, not
         */
        neighborhood_2?: number | number[];
      };
      /**
       * Alternatives. Filters of which a row must match at least one: in JSON a list of at most 4 objects, in a query _or.1.field, _or.2.field.
       */
      _or?: {
        [k: string]: unknown;
      }[];
    };
    params: {
      results: {
        /**
         * Neighborhood
         */
        neighborhood_1: string | null;
        /**
         * Under 5 years
         */
        under_5: number | null;
        /**
         * 5 to 17 years
         */
        _5_to_17: number | null;
        /**
         * 18 to 24 years
         */
        _18_24: number | null;
        /**
         * 25 to 34 years
         */
        _25_34: number | null;
        /**
         * 35 to 44 years
         */
        _35_44: number | null;
        /**
         * 45 to 54 years
         */
        _45_54: number | null;
        /**
         * 55 to 64 years
         */
        _55_64: number | null;
        /**
         * 65 years and over
         */
        _65: number | null;
        /**
         * Population
         */
        total_population: number | null;
        /**
         * White population
         */
        white_population: number | null;
        /**
         * Black population
         */
        black_population: number | null;
        /**
         * Asian population
         */
        asian_population: number | null;
        /**
         * Population of other or several races
         */
        other_population: number | null;
        /**
         * Hispanic population. Of any race.
         */
        hispanic_population: number | null;
        /**
         * Population in group quarters
         */
        gq_pop: number | null;
        /**
         * Persons in dormitories. Not in the source: null in every row.
         */
        persons_in_dorms: number | null;
        /**
         * Households
         */
        households: number | null;
        /**
         * Persons per household
         */
        persons_per_hh: number | null;
        /**
         * Single-person households
         */
        single_person_hh: number | null;
        /**
         * Nonfamily households
         */
        nonfamily_hhs: number | null;
        /**
         * Nonfamily households of several persons
         */
        roommates: number | null;
        /**
         * Families without own children
         */
        families_w_o_kids: number | null;
        /**
         * Families with own children
         */
        families_w_related_kids: number | null;
        /**
         * Married couples without own children
         */
        married_w_o_kids: number | null;
        /**
         * Married couples with own children
         */
        married_w_related_kids: number | null;
        /**
         * Women without husband, with own children
         */
        s_women_w_related_kids: number | null;
        /**
         * Men without wife, without own children
         */
        unmarried_men_w_o_kids: number | null;
        /**
         * Women without husband, without own children
         */
        unmarried_women_w_o_kids: number | null;
        /**
         * Housing units
         */
        total_units: number | null;
        /**
         * Owner-occupied units
         */
        owner_occupied_units: number | null;
        /**
         * Renter-occupied units
         */
        renter_occupied_units: number | null;
        /**
         * Vacant units
         */
        vacant_units: number | null;
        /**
         * Housing units per acre
         */
        unit_density: number | null;
        /**
         * Longitude of the centre
         */
        centerpoint_x: number | null;
        /**
         * Latitude of the centre
         */
        centerpoint_y: number | null;
        /**
         * Land area in acres
         */
        land_area_in_acres: number | null;
        /**
         * Land area in square miles
         */
        land_area_in_square_miles: number | null;
        /**
         * Persons per acre
         */
        persons_per_acre: number | null;
        /**
         * Neighborhood number
         */
        neighborhood_2: number | null;
        /**
         * Distance. From the place in _near, rounded to 0.1 m.
         */
        _distance?: number | null;
      }[];
      /**
       * The number of rows in this page.
       */
      count: number;
      /**
       * The number of rows that match, in all pages.
       */
      total: number;
      /**
       * The next page's _cursor; null in the last page.
       */
      next: string | null;
      /**
       * The rows' addresses relative to the block's, with Prefer: row-addresses.
       */
      addresses?: string[];
      /**
       * Present if no row matches the filters: a member for each of them.
       */
      help?: {
        /**
         * The parameters that state the filter.
         */
        parameters: string[];
        /**
         * The number of rows that it matches by itself; null if not counted.
         */
        alone: number | null;
        /**
         * The number of rows that match all other filters; null if not counted.
         */
        without: number | null;
        /**
         * Whether it makes the answer empty; null if not known.
         */
        empties: boolean | null;
        /**
         * The number of rows that match if its text has * on both sides; null if not counted.
         */
        containing: number | null;
        /**
         * Values in the dataset that its text may have meant.
         */
        nearest: string[];
        /**
         * Other fields that have its text; absent if none was found.
         */
        elsewhere?: {
          /**
           * The parameter that finds it.
           */
          parameter: string;
          /**
           * The number of rows that it finds by itself.
           */
          rows: number;
        }[];
      }[];
      /**
       * Present if _facets asks for it: a member for each of its fields.
       */
      facets?: {
        [k: string]: {
          /**
           * The commonest values, each with the number of rows that have it.
           *
           * @maxItems 30
           */
          values: {
            value: string | number | boolean;
            count: number;
          }[];
          /**
           * The number of rows that have other values.
           */
          others: number;
          /**
           * The number of rows without a value.
           */
          empty: number;
        };
      };
      /**
       * Present if _xy asks for it: whether results are rows or squares, and how far their numbers reach.
       */
      xy?: {
        of: 'rows' | 'squares';
        x: {
          field: string;
          scale: 'linear' | 'log';
          min: number | null;
          max: number | null;
        };
        y: {
          field: string;
          scale: 'linear' | 'log';
          min: number | null;
          max: number | null;
        };
        /**
         * The number of rows in all points or squares.
         */
        rows: number;
        /**
         * The number of rows that lack one number or both.
         */
        without: number;
        /**
         * The number of rows with a 0, which a logarithmic axis leaves out.
         */
        zeros?: number;
        /**
         * With _medians: the median of y in steps of x.
         */
        medians?: {
          from: number;
          to: number;
          count: number;
          median: number;
        }[];
      };
      /**
       * Present if lists have values that no row has, whatever the other filters: a member for each such list, by its parameter. The first page has it.
       */
      notFound?: {
        /**
         * @minItems 1
         * @maxItems 10000
         */
        [k: string]: [string | number | boolean, ...(string | number | boolean)[]];
      };
    };
  };
  /**
   * RGB to colour name. The readable name of the named colour nearest to an sRGB colour, by CIEDE2000, exactly; with its distance and, on request, the next nearest.
   */
  'rgb-to-color-name': {
    arguments: {
      /**
       * Red
       */
      R: number;
      /**
       * Green
       */
      G: number;
      /**
       * Blue
       */
      B: number;
      /**
       * List of names. bestof: the best of the full list; full: over 30,000 names; short: the best of at most 12 characters; css: the 148 of CSS Color 4.
       */
      list?: 'bestof' | 'full' | 'short' | 'css';
      /**
       * How many of the next nearest to add
       */
      alternatives?: number;
      /**
       * Fields to return. A list, or one text with commas. By default, all fields.
       */
      _fields?: ('name' | 'hex' | 'rgb' | 'exact' | 'distance' | 'list' | 'alternatives')[];
      /**
       * Exact texts. CSV alone: no apostrophe is put before a text that begins like a formula.
       */
      _raw?: boolean;
      /**
       * Byte order mark. CSV alone: it begins with a byte order mark, without which Excel misreads letters beyond ASCII.
       */
      _bom?: boolean;
      /**
       * Language of the page. The language of the own words and numbers of the page and of SVG; other formats do not use it.
       */
      _lang?: 'en' | 'de' | 'es';
      /**
       * Handling of unknown names. strict refuses unknown names in a body; lenient ignores and lists them.
       */
      _handling?: 'strict' | 'lenient';
      /**
       * Explain. Adds the access path, what was read, and what that costs on AWS.
       */
      _explain?: boolean;
    };
    params: {
      /**
       * The named colour's name.
       */
      name: string;
      hex: string;
      /**
       * @minItems 3
       * @maxItems 3
       */
      rgb: [number, number, number];
      /**
       * Whether the named colour is the one asked for.
       */
      exact: boolean;
      /**
       * CIEDE2000, to 6 decimals.
       */
      distance: number;
      list: 'bestof' | 'full' | 'short' | 'css';
      alternatives: {
        name: string;
        hex: string;
        /**
         * @minItems 3
         * @maxItems 3
         */
        rgb: [number, number, number];
        /**
         * CIEDE2000, to 6 decimals.
         */
        distance: number;
      }[];
    };
  };
  '0866afd3c60942887af15dc945ab76fc': Blocks['business-directory'];
  cd6056a831402cb2033fe1e711f72d98: Blocks['census-neighborhoods'];
}

export type ProblemCode =
  | 'invalid-arguments'
  | 'invalid-json'
  | 'invalid-form'
  | 'invalid-encoding'
  | 'too-much-work'
  | 'result-too-large'
  | 'bad-request'
  | 'signature-refused'
  | 'key-missing'
  | 'key-refused'
  | 'host-refused'
  | 'origin-refused'
  | 'not-found'
  | 'unknown-block'
  | 'unknown-row'
  | 'method-not-allowed'
  | 'request-timeout'
  | 'cursor-expired'
  | 'row-expired'
  | 'version-expired'
  | 'precondition-failed'
  | 'body-too-large'
  | 'unsupported-media-type'
  | 'unsupported-content-encoding'
  | 'range-refused'
  | 'too-many-requests'
  | 'quota-exceeded'
  | 'headers-too-large'
  | 'internal-error'
  | 'store-unavailable'
  | 'secret-unavailable'
  | 'service-unavailable';

export type FaultCode =
  | 'unknown-parameter'
  | 'missing-parameter'
  | 'not-a-number'
  | 'not-an-integer'
  | 'not-a-date'
  | 'not-a-datetime'
  | 'not-a-place'
  | 'not-a-distance'
  | 'not-text'
  | 'not-a-choice'
  | 'not-one-value'
  | 'out-of-range'
  | 'not-an-object'
  | 'min-above-max'
  | 'no-row-can-match'
  | 'text-too-long'
  | 'list-too-long'
  | 'no-digits'
  | 'no-words'
  | 'too-many-groups'
  | 'same-name'
  | 'option-of-another-format'
  | 'option-of-another-question'
  | 'no-figure'
  | 'not-a-pointer'
  | 'nothing-at-pointer'
  | 'invalid-cursor'
  | 'cursor-of-another-query';
