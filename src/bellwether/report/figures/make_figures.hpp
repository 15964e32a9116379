// SPDX-License-Identifier: MIT
// From the rows of an experiment to figures.
#pragma once

#include "bellwether/experiment/results.hpp"
#include "bellwether/report/figures/figure.hpp"

namespace bellwether::report {

/// What `spec` asks for. Each sample is the mean over the seeds of one point. Axes that neither
/// make the x nor the curves, and that `where` leaves open, make curves of their own: runs of
/// different points are never mixed. Throws Problem for an axis that is not there; a metric
/// without values gives a figure without curves.
Figure make_figure(const experiment::Results& results, const experiment::FigureSpec& spec);

/// For experiments that name no figures: one for each metric to be shown, over the first axis that
/// has numbers.
std::vector<experiment::FigureSpec> default_figures(const experiment::Results& results);

/// The figures that the experiment names, or else the default ones.
std::vector<experiment::FigureSpec> figures_of(const experiment::Results& results);
/// The metrics to be shown first: those that the experiment names, or those that most people ask
/// for.
std::vector<std::string> chosen_metrics(const experiment::Results& results);

}  // namespace bellwether::report
